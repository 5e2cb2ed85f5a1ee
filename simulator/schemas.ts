import { z } from 'zod/v4';

/** String schema that counts characters, not UTF-16 units as zod does (service.md, Limits). */
export const characters = (least: number, most: number) =>
	z
		.string()
		.min(least)
		.refine((text) => [...text].length <= most, `must contain at most ${most} character(s)`);

/** Most optional fields may also be null. */
export const optionalText = z.string().nullish();

const isMatchingUrl = (value: string, fits: (url: URL) => boolean) =>
	URL.canParse(value) && fits(new URL(value));

export const webUrl = z
	.string()
	.refine(
		(value) => isMatchingUrl(value, ({ protocol }) => /^https?:$/.test(protocol)),
		'must be an http or https URL',
	);

export const httpsUrl = z
	.string()
	.refine(
		(value) => isMatchingUrl(value, ({ protocol }) => protocol === 'https:'),
		'must be an https URL',
	);

/**
 * Accepts public https URLs, as the service does, and http URLs on loopback, because the simulator
 * serves its own files there.
 */
export const publicUrl = z
	.string()
	.refine(
		(value) =>
			isMatchingUrl(
				value,
				({ protocol, hostname }) =>
					protocol === 'https:' ||
					(protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(hostname)),
			),
		'must be a public https URL',
	);

const urlInput = z.object({ type: z.literal('url'), url: publicUrl }).strict();
const assetIdInput = z
	.object({ type: z.literal('asset_id'), asset_id: z.string().min(1) })
	.strict();
const base64Input = z
	.object({
		type: z.literal('base64'),
		media_type: z.string().min(1),
		data: z
			.string()
			.min(1)
			.regex(/^[A-Za-z0-9+/\s]+=*\s*$/, 'must be base64'),
	})
	.strict();

export const assetInput = z.discriminatedUnion('type', [urlInput, assetIdInput, base64Input]);
export const assetInputWithoutBase64 = z.discriminatedUnion('type', [urlInput, assetIdInput]);
export type AssetFieldValue = z.infer<typeof assetInput>;

export const callbackFields = { callback_url: webUrl.nullish(), callback_id: optionalText };

export const glossaryFields = {
	brand_glossary_id: z.string().min(1).nullish(),
	brand_voice_id: z.string().min(1).nullish(),
};

export const fraction = z.number().min(0).max(1);
export const hexColor = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a color such as #1A2B3C');

/** Estimates how many seconds a text takes to speak. Below 1 it is `script_too_short`. */
export const estimateSpeechSeconds = (script: string) =>
	script.replace(/<[^>]*>/g, '').replace(/[^\p{L}\p{N}]/gu, '').length / 10;
