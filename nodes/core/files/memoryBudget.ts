/** How many bytes are held in memory at once. */

/** Bytes that are held now, and who waits for room. */
export interface MemoryBudget {
	bytes: number;
	waiting: Array<() => void>;
}

/** Does something that holds so many bytes in memory, once there is room for them. */
export async function withMemoryBudget<T>(
	room: MemoryBudget,
	most: number,
	bytes: number,
	task: () => Promise<T>,
): Promise<T> {
	while (room.bytes > 0 && room.bytes + bytes > most) {
		await new Promise<void>((resolve) => room.waiting.push(resolve));
	}
	room.bytes += bytes;
	try {
		return await task();
	} finally {
		room.bytes -= bytes;
		for (const resume of room.waiting.splice(0)) resume();
	}
}
