import { withMemoryBudget, type MemoryBudget } from '../../../nodes/core/files/memoryBudget';

test('bytes are held up to a limit; what is larger than it goes alone', async () => {
	const room: MemoryBudget = { bytes: 0, waiting: [] };
	let most = 0;
	await Promise.all(
		[60, 60, 30, 200].map(
			async (bytes) =>
				await withMemoryBudget(room, 100, bytes, async () => {
					most = Math.max(most, room.bytes);
					await new Promise((resolve) => setImmediate(resolve));
				}),
		),
	);
	expect(most).toBe(200);
	expect(room.bytes).toBe(0);
});
