/** Which rows a batch has, and what identifies them. */
import { createHashedKey } from '../../../nodes/core/digest';
import { getItemIndexes } from '../../../nodes/core/plan/groupRequests';
import { send, type Run } from './batches';

const digestOf = (entry: string, shared = {}) => createHashedKey([shared, entry]);

test('a batch has all rows, in their order', async () => {
	const { sent, failures, posts } = await send(['1', '2', '3'], { body: { title: 'a' } });
	const digests = ['1', '2', '3'].map((entry) => digestOf(entry));
	expect(posts).toStrictEqual([[[0, 1, 2], { videos: ['1', '2', '3'], title: 'a' }, digests]]);
	expect([sent.map(getItemIndexes), failures]).toStrictEqual([[[0, 1, 2]], []]);
});

test('a rejected batch has no response', async () => {
	const { sent, failures } = await send(['1', '2'], { isRejected: true });
	expect([sent, failures.map(({ item }) => item)]).toStrictEqual([[], [0]]);
});

test.each<[string, Run, object]>([
	['without the title of the batch', { body: { title: 'x' } }, {}],
	['with other values of the batch', { body: { folder: 'x' } }, { folder: 'x' }],
	[
		'with the content of files instead of the IDs of their uploads',
		{ body: { file: 'asset 1' }, content: { file: 'content' } },
		{ file: 'content' },
	],
])('a row is identified %s', async (_, run, shared) => {
	const { posts } = await send(['v'], run);
	expect(posts).toStrictEqual([[[0], { videos: ['v'], ...run.body }, [digestOf('v', shared)]]]);
});
