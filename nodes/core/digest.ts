import { createHash } from 'crypto';

/** SHA-256, hex-encoded. */
export const createDigest = (content: Buffer | string) =>
	createHash('sha256').update(content).digest('hex');

/** SHA-256 of values, hex-encoded. */
export const hashParts = (parts: readonly unknown[]) => createDigest(JSON.stringify(parts));

export const createHashedKey = (parts: readonly unknown[]) =>
	`n8n-${hashParts(parts).slice(0, 48)}`;
