export const secondsPerDay = 24 * 3600;
export const aspectRatios = ['16:9', '9:16', '1:1'];
export const pickCyclic = <T>(list: T[], index: number) => list[index % list.length] as T;
export const createNumberedId = (prefix: string, index: number) =>
	`${prefix}_${String(index + 1).padStart(3, '0')}`;
