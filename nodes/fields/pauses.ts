/**
 * Checks for pauses in spoken texts: break tags, which not every voice supports (docs/service.md,
 * Resources).
 */
import type { IDataObject } from 'n8n-workflow';
import { createOperationError } from '../core/errors/nodeErrors';
import type { Client } from '../core/http/client';
import { isObject, readObject, readText } from '../core/json';

const breakTag = /<break\b[^>]*>/i;

/** A text and the ID of the voice that speaks it. */
interface SpokenText {
	/** Name of the field with the text, as the user sees it. */
	field: string;
	text?: string;
	voice?: string;
}

/**
 * Finds the spoken texts in a payload, at any depth: each `script` with the `voice_id` next to it.
 *
 * @param field name of the form field with the texts, as the user sees it
 */
export function findSpokenTexts(field: string, payload: unknown): SpokenText[] {
	if (Array.isArray(payload)) {
		return payload.flatMap((entry: unknown) => findSpokenTexts(field, entry));
	}
	if (!isObject(payload)) return [];
	const { script, voice_id } = payload;
	const spokenText = { field, text: readText(script), voice: readText(voice_id) };
	return [spokenText, ...Object.values(payload).flatMap((inner) => findSpokenTexts(field, inner))];
}

/** Fetches a voice, at most once per run; an empty object if the service does not return it. */
async function readVoice(client: Client, voice_id: string): Promise<IDataObject> {
	return await client.shareInRun(`voice ${voice_id}`, async () => {
		const line = 'GET /v3/voices/{voice_id}';
		const outcome = await client.tryRequest({ line, path: { voice_id } });
		return outcome.ok ? readObject(outcome.reply.data) : {};
	});
}

/**
 * Throws if a text has pauses that its voice does not support. Texts without pauses cost no
 * request.
 */
export async function refuseUnsupportedPauses(
	client: Client,
	...texts: readonly SpokenText[]
): Promise<void> {
	for (const { field, text, voice } of texts) {
		const [tag] = breakTag.exec(text ?? '') ?? [];
		if (tag === undefined || voice === undefined) continue;
		if ((await readVoice(client, voice)).support_pause !== false) continue;
		throw createOperationError(
			client.node,
			`"${field}" has a pause (${tag}), but the voice ${voice} does not support pauses`,
			'Remove the pause, or choose a voice whose entry in the list says "supports pauses". Nothing was sent for this item.',
			{ code: 'invalid_value' },
		);
	}
}
