import { z } from 'zod';
import type { Field } from '../core/form/field';

/** Lets the service notice a file that arrived damaged. */
export const checksum = {
	displayName: 'SHA-256 Checksum',
	name: 'checksum_sha256',
	type: 'string',
	default: '',
	placeholder: 'e.g. 9f86d081884c7d65…',
	description: 'The SHA-256 of the file in hex (64 signs), as the Crypto node makes it',
	schema: z.string().regex(/^[0-9a-f]{64}$/i, 'must be a SHA-256 in hex, 64 signs of 0-9 and a-f'),
} as const satisfies Field;
