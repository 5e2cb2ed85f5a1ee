/** Under which keys an item has its ID. */
import type { IDataObject } from 'n8n-workflow';
import { copyIdToSpecificKey, omitRedundantId } from '../../../nodes/core/collect/itemResult';

test.each<[string, IDataObject, IDataObject, string | undefined]>([
	['the response first', { id: 7, job: { id: 'j' } }, { video_id: 'f' }, '7'],
	['the job second', { id: null, job: { id: 'j' } }, { video_id: 'f' }, 'j'],
	['the form last', { job: 'v' }, { video_id: 'f' }, 'f'],
	['the form last, if the job has no ID', { job: {} }, { video_id: 'f' }, 'f'],
	['nothing that is no ID', { id: '', job: [{ id: 'j' }] }, {}, undefined],
])('the ID comes from %s', (_, json, values, expected) => {
	const item = { json, pairedItem: 1 };
	const named = copyIdToSpecificKey(item, 'video_id', { values });
	if (expected === undefined) expect(named).toBe(item);
	else expect(named).toStrictEqual({ json: { video_id: expected, ...json }, pairedItem: 1 });
});

test('an item that has the ID, or needs none, stays as it is', () => {
	const item = { json: { id: 'a', video_id: null } };
	expect(copyIdToSpecificKey(item, 'video_id', { values: {} })).toBe(item);
	expect(copyIdToSpecificKey(item, undefined, { values: {} })).toBe(item);
});

test.each<[IDataObject, boolean]>([
	[{ id: 'a', video_id: 'a' }, true],
	[{ id: 'a', folder_id: 'b', video_id: 'a' }, true],
	[{ id: 'a', video_id: 'b' }, false],
	[{ id: 'a', title: 'a' }, false],
	[{ id: 'a' }, false],
])('of %j, the ID is removed as a duplicate: %j', (json, isRemoved) => {
	const { id, ...rest } = json;
	const result = omitRedundantId(json);
	if (isRemoved) expect(result).toStrictEqual(rest);
	else expect(result).toBe(json);
});
