/** Which entries of a list are the same event. */
import type { IDataObject } from 'n8n-workflow';
import { readEventId, removeDuplicateEvents } from '../../../nodes/VideoGenPollingTrigger/sources';

const createEntry = (time: number, event_data: unknown, event_type = 'avatar_video.success') => ({
	...{ id: `e${time}`, time, place: time },
	row: { event_type, event_data } as IDataObject,
});

const removeDuplicates = (...entries: Array<ReturnType<typeof createEntry>>) =>
	removeDuplicateEvents({}, entries).entries.map(({ time }) => time);

test('equal data up to 60 seconds apart is the same event, even if it is found at a later poll', () => {
	const data = { video_id: 'v1' };
	expect(removeDuplicates(createEntry(0, data), createEntry(60, data))).toStrictEqual([0]);
	expect(removeDuplicates(createEntry(0, data), createEntry(61, data))).toStrictEqual([0, 61]);
	const { marks } = removeDuplicateEvents({}, [createEntry(0, data)]);
	expect(removeDuplicateEvents(marks, [createEntry(60, data)]).entries).toStrictEqual([]);
});

test('other data, another type, and empty data are other events', () => {
	const entries = [
		createEntry(0, { video_id: 'v1' }),
		createEntry(1, { video_id: 'v2' }),
		createEntry(2, { video_id: 'v1' }, 'avatar_video.fail'),
		createEntry(3, {}),
		createEntry(4, {}),
		createEntry(5, 'text'),
		createEntry(6, 'text'),
	];
	expect(removeDuplicates(...entries)).toStrictEqual([0, 1, 2, 3, 4, 5, 6]);
});

test('an event without an ID is recognized by its content', () => {
	const ids = [{ a: 1 }, { a: 1 }, { a: 2 }].map((event_data) =>
		readEventId({ event_type: 'avatar_video.success', event_data }),
	);
	expect(ids[0]).toMatch(/^[\w-]{22}$/);
	expect([ids[0] === ids[1], ids[0] === ids[2]]).toStrictEqual([true, false]);
	expect(readEventId({ event_type: 'avatar_video.success', event_id: 'e1' })).toBe('e1');
	expect(readEventId({ event_id: 'e1' })).toBeUndefined();
});
