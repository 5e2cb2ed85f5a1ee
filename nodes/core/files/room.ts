/** How many bytes are held in memory at once. */

/** Bytes that are held now, and who waits for room. */
export interface Room {
	bytes: number;
	waiting: Set<() => void>;
}

/** Does something that holds so many bytes in memory, once there is room for them. */
export async function withRoom<T>(
	room: Room,
	most: number,
	bytes: number,
	task: () => Promise<T>,
): Promise<T> {
	while (room.bytes > 0 && room.bytes + bytes > most) {
		await new Promise<void>((resolve) => room.waiting.add(resolve));
	}
	room.bytes += bytes;
	try {
		return await task();
	} finally {
		room.bytes -= bytes;
		const waiting = [...room.waiting];
		room.waiting.clear();
		for (const resume of waiting) resume();
	}
}
