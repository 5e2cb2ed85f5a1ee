/** The part of the package that the pictures use; it has no types of its own. */
declare module 'node-webpmux' {
	interface Frame {
		delay: number;
	}
	export const Image: {
		generateFrame(options: { buffer: Buffer; delay: number }): Promise<Frame>;
		save(
			path: null,
			options: { width: number; height: number; frames: Frame[]; loops: number },
		): Promise<Buffer>;
	};
}
