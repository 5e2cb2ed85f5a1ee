import { z } from 'zod';
import type { Field } from '../core/form/field';

/**
 * Form field for the SHA-256 checksum of a file. The service uses the checksum to detect files
 * damaged during upload.
 */
export const checksumField = {
	displayName: 'SHA-256 Checksum',
	name: 'checksum_sha256',
	type: 'string',
	default: '',
	placeholder: 'e.g. 9f86d081884c7d65…',
	description:
		'SHA-256 hash of the file as 64 hexadecimal characters, for example from the Crypto node',
	schema: z
		.string()
		.regex(/^[0-9a-f]{64}$/i, 'must be a SHA-256 hash in hex: 64 characters of 0-9 and a-f'),
} as const satisfies Field;
