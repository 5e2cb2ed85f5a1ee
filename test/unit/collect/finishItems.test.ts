/** What Simplify keeps of a row. */
import { simplifyJson } from '../../../nodes/core/collect/finishItems';

test('Simplify keeps values that are not null, moves nested ones up, and writes times as text', () => {
	const row = {
		id: 'a',
		title: null,
		created_at: 0,
		updated_at: '2026-01-31T09:00:00+01:00',
		chat_at: 'noon',
		data: { video_id: 'v', url: 'https://files.example' },
	};
	const keys = [
		'id',
		'title',
		'gone',
		'created_at',
		'updated_at',
		'chat_at',
		'data.video_id',
		'id.x',
	];
	expect(simplifyJson(row, keys)).toEqual({
		id: 'a',
		created_at: '1970-01-01T00:00:00.000Z',
		updated_at: '2026-01-31T08:00:00.000Z',
		chat_at: 'noon',
		video_id: 'v',
	});
});
