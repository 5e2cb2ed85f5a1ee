/** What is read of an answer. */
import { Readable } from 'node:stream';
import { readRefusalBody, readBody } from '../../../nodes/core/http/reply';

/** Gives these pieces, and then ends, unless it hangs. */
function streamOf(pieces: string[], hangs = false): Readable {
	const stream = new Readable({ read: () => undefined });
	for (const piece of pieces) stream.push(piece);
	if (!hangs) stream.push(null);
	return stream;
}

test('a good answer is read whole, piece by piece', async () => {
	expect(await readBody(streamOf(['{"data":', '{"title":"ü"}}']), 1000)).toEqual({
		data: { title: 'ü' },
	});
	expect(await readBody(streamOf(['no JSON']), 1000)).toBe('no JSON');
	expect(await readBody(streamOf([]), 1000)).toBe('');
});

test('an answer that does not come on is given up', async () => {
	const stream = streamOf(['{"data":'], true);
	await expect(readBody(stream, 20)).rejects.toThrow('did not come on');
	expect(stream.destroyed).toBe(true);
});

test('an answer whose connection breaks is no answer', async () => {
	const stream = streamOf(['{"data":'], true);
	setTimeout(() => stream.destroy(new Error('socket hang up')), 5);
	await expect(readBody(stream, 1000)).rejects.toThrow('socket hang up');
});

test('of a refusal the beginning is enough, and what there is of it', async () => {
	const endless = new Readable({ read: () => void endless.push('x'.repeat(10_000)) });
	expect((await readRefusalBody(endless)).length).toBeLessThan(100_000);
	expect(endless.destroyed).toBe(true);
	const broken = streamOf(['{"error":'], true);
	setTimeout(() => broken.destroy(new Error('socket hang up')), 5);
	expect(await readRefusalBody(broken)).toBe('{"error":');
});
