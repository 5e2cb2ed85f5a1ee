import { formatDuration, toUnixSeconds } from '../../nodes/core/time';

test.each([
	['Unix seconds', 1_794_884_580, 1_794_884_580],
	['Unix seconds as text', '1794884580', 1_794_884_580],
	['milliseconds', 1_794_884_580_000, 1_794_884_580],
	[
		'a date and time in the zone of the workflow',
		'2026-01-31T09:00:00',
		Date.UTC(2026, 0, 31, 8) / 1000,
	],
	['a date and time with its own zone', '2026-01-31T09:00:00Z', Date.UTC(2026, 0, 31, 9) / 1000],
	['a date', '2026-01-31', Date.UTC(2026, 0, 30, 23) / 1000],
	['a text that is no date', 'yesterday', undefined],
	['a boolean', true, undefined],
	['an empty text', '', undefined],
])('converts %s to Unix seconds', (_, time, seconds) => {
	expect(toUnixSeconds(time, 'Europe/Berlin')).toBe(seconds);
});

test.each([
	[1, '1 second'],
	[45.4, '45 seconds'],
	[89, '89 seconds'],
	[90, '2 minutes'],
	[3600, '60 minutes'],
])('%s seconds are "%s"', (seconds, text) => {
	expect(formatDuration(seconds)).toBe(text);
});
