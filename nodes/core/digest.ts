import { createHash } from 'crypto';

/** SHA-256, hex-encoded. */
export const createDigest = (content: Buffer | string) =>
	createHash('sha256').update(content).digest('hex');
