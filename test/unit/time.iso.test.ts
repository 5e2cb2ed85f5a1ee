/** Times of responses as ISO 8601 text. */
import { convertTimesToIso } from '../../nodes/core/time';

const iso = '2026-01-31T09:00:00.000Z';
const seconds = Date.parse(iso) / 1000;

test.each([
	'completed_at',
	'created_at',
	'expires_at',
	'resets_at',
	'started_at',
	'updated_at',
	'uploaded_at',
])('%s is converted at any depth', (key) => {
	const response = { [key]: seconds, rows: [{ [key]: seconds, deep: { [key]: seconds } }] };
	expect(convertTimesToIso(response)).toEqual({
		[key]: iso,
		rows: [{ [key]: iso, deep: { [key]: iso } }],
	});
	expect(response[key]).toBe(seconds);
});

test.each([
	['ISO text', { created_at: '2026-01-31T09:00:00+01:00' }],
	['numeric text', { created_at: String(seconds) }],
	['milliseconds', { created_at: seconds * 1000 * 60 }],
	['zero', { created_at: 0 }],
	['a duration', { expires_at: 3600 }],
	['a negative number', { created_at: -seconds }],
	['not a number', { created_at: NaN }],
	['null', { created_at: null }],
	['a list', { created_at: [seconds] }],
	['other keys', { duration: seconds, expires_in_seconds: seconds, at: seconds, seed: seconds }],
	['no object', 'text'],
	['undefined', undefined],
])('%s stays as it is', (_, value) => {
	expect(convertTimesToIso(value)).toEqual(value);
});

test('thousands of levels do not overflow the stack', () => {
	const levels = 5_000;
	let response: object = { created_at: seconds };
	for (let level = 0; level < levels; level++) response = { inner: response };
	expect(() => convertTimesToIso(response)).not.toThrow();
});
