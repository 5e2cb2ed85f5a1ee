/** Hashes text and bytes. */
import { createHash } from 'crypto';

/** Returns the hex-encoded SHA-256 hash of text or bytes. */
export const createDigest = (content: Buffer | string) =>
	createHash('sha256').update(content).digest('hex');
