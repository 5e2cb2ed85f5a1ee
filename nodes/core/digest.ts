import { createHash } from 'crypto';

/** Returns the SHA-256 of content, hex-encoded. */
export const createDigest = (content: Buffer | string) =>
	createHash('sha256').update(content).digest('hex');

/** Returns the SHA-256 of several values, hex-encoded. */
export const hashParts = (parts: readonly unknown[]) => createDigest(JSON.stringify(parts));

export const createHashedKey = (parts: readonly unknown[]) =>
	`n8n-${hashParts(parts).slice(0, 48)}`;
