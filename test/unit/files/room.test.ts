import { withRoom, type Room } from '../../../nodes/core/files/room';

test('bytes are held up to a limit; what is larger than it goes alone', async () => {
	const room: Room = { bytes: 0, waiting: [] };
	let most = 0;
	await Promise.all(
		[60, 60, 30, 200].map(
			async (bytes) =>
				await withRoom(room, 100, bytes, async () => {
					most = Math.max(most, room.bytes);
					await new Promise((resolve) => setImmediate(resolve));
				}),
		),
	);
	expect(most).toBe(200);
	expect(room.bytes).toBe(0);
});
