/** The part of the package that the pictures use; it has no types of its own. */
declare module 'node-webpmux' {
	interface Frame {
		delay: number;
	}
	export class Image {
		static generateFrame(options: { buffer: Buffer; delay: number }): Promise<Frame>;
		static save(
			path: null,
			options: { width: number; height: number; frames: Frame[]; loops: number },
		): Promise<Buffer>;
		readonly width: number;
		readonly height: number;
		load(path: string): Promise<void>;
	}
}
