import { z } from 'zod';

/** Text of a length that counts characters: what takes two units of UTF-16 is one of them. */
export const characters = (least: number, most: number) =>
	z
		.string()
		.min(least)
		.refine((text) => [...text].length <= most, `must contain at most ${most} character(s)`);

/** Most optional fields may also be null. */
export const optionalText = z.string().nullish();

const isUrl = (value: string, fits: (url: URL) => boolean) =>
	URL.canParse(value) && fits(new URL(value));

export const webAddress = z
	.string()
	.refine(
		(value) => isUrl(value, ({ protocol }) => /^https?:$/.test(protocol)),
		'must be an http or https URL',
	);

export const httpsAddress = z
	.string()
	.refine((value) => isUrl(value, ({ protocol }) => protocol === 'https:'), 'must be a https URL');

/**
 * Public https only, as the service has it. Plain http is let through to loopback, because that
 * is where this service's own files are.
 */
export const publicAddress = z
	.string()
	.refine(
		(value) =>
			isUrl(
				value,
				({ protocol, hostname }) =>
					protocol === 'https:' ||
					(protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(hostname)),
			),
		'must be a public https URL',
	);

const fromUrl = z.object({ type: z.literal('url'), url: publicAddress }).strict();
const fromAsset = z.object({ type: z.literal('asset_id'), asset_id: z.string().min(1) }).strict();
const fromBase64 = z
	.object({
		type: z.literal('base64'),
		media_type: z.string().min(1),
		data: z
			.string()
			.min(1)
			.regex(/^[A-Za-z0-9+/\s]+=*\s*$/, 'must be base64'),
	})
	.strict();

/** Asset input; the narrow form has no base64 member. */
export const assetInput = z.discriminatedUnion('type', [fromUrl, fromAsset, fromBase64]);
export const narrowAssetInput = z.discriminatedUnion('type', [fromUrl, fromAsset]);
export type AssetInput = z.infer<typeof assetInput>;

export const callback = { callback_url: webAddress.nullish(), callback_id: optionalText };

export const glossaryFields = {
	brand_glossary_id: z.string().min(1).nullish(),
	brand_voice_id: z.string().min(1).nullish(),
};

export const fraction = z.number().min(0).max(1);
export const hexColor = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a color such as #1A2B3C');

/** Seconds that a text takes to speak, roughly; what decides script_too_short. */
export const speechSeconds = (script: string) =>
	script.replace(/<[^>]*>/g, '').replace(/[^\p{L}\p{N}]/gu, '').length / 10;
