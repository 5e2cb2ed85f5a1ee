/** Which entries of a list are the same event. */
import type { IDataObject } from 'n8n-workflow';
import { videoJob } from '../../../nodes/jobKinds/catalog';
import {
	createJobEvent,
	getPollableJobKind,
	readEventId,
	readJobId,
	removeDuplicateEvents,
} from '../../../nodes/VideoGenPollingTrigger/sources';

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

test('the event of a job has the values that exist, and a time', () => {
	const kind = {
		...videoJob,
		events: {
			...{ list: 'GET /v3/videos', type: 'avatar_video', reasonKey: 'msg' },
			toEventData: ({ url, title, empty }: IDataObject) => ({ url, title, empty, gone: null }),
		},
	} as never;
	const data = { url: 'u', title: 'T', empty: '' };
	const completed = { ...data, status: 'completed', completed_at: 1 };
	expect(createJobEvent(kind, 'v1', completed, 9)).toStrictEqual({
		...{ event_id: 'avatar_video.success:v1', event_type: 'avatar_video.success' },
		...{ event_data: data, created_at: '1970-01-01T00:00:01.000Z' },
	});
	const failed = { status: 'failed', failure_message: 'No face', title: 'T' };
	expect(createJobEvent(kind, 'v1', failed, 9)).toStrictEqual({
		...{ event_id: 'avatar_video.fail:v1', event_type: 'avatar_video.fail' },
		event_data: { title: 'T', msg: 'No face' },
		created_at: '1970-01-01T00:00:09.000Z',
	});
});

test('a source has a kind of job, and a row its ID', () => {
	expect(getPollableJobKind('videos')).toBe(videoJob);
	expect(['events', 'toString', ''].map(getPollableJobKind)).toStrictEqual([
		...[undefined, undefined, undefined],
	]);
	const rows = [{ video_id: 'a', id: 'b' }, { id: 7 }, {}];
	expect(rows.map((row) => readJobId(videoJob, row))).toStrictEqual(['a', '7', undefined]);
});
