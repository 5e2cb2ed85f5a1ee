/** What Simplify keeps of a row. */
import { simplifyJson } from '../../../nodes/core/collect/finishItems';

test('Simplify keeps values that are not null, and moves nested ones up', () => {
	const row = {
		id: 'a',
		title: null,
		data: { video_id: 'v', url: 'https://files.example' },
	};
	const keys = ['id', 'title', 'gone', 'data.video_id', 'id.x'];
	expect(simplifyJson(row, keys)).toEqual({
		id: 'a',
		video_id: 'v',
	});
});
