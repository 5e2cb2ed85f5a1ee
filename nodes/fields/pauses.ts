/**
 * Checks whether a script's voice supports the pauses in the script, which are written as `<break>`
 * tags (service.md, Resources).
 */
import type { IDataObject } from 'n8n-workflow';
import { createOperationError } from '../core/errors/nodeErrors';
import { fetchResourceOncePerRun, type Client } from '../core/http/client';
import { isObject, readObject, readText } from '../core/json';

const breakTag = /<break\b[^<>]*>/i;

/** A text to speak, with the ID of the voice that speaks it. */
interface SpokenText {
	/** Display name of the form field that contains the text. */
	field: string;
	text?: string;
	voice?: string;
}

/**
 * Finds each `script` in a request body, at any depth, together with the `voice_id` next to it.
 *
 * @param field display name of the form field that contains the scripts
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

/**
 * Fetches a voice by its ID, at most once per run. Returns an empty object if the request fails.
 */
async function readVoice(client: Client, voice_id: string): Promise<IDataObject> {
	const outcome = await fetchResourceOncePerRun(client, 'GET /v3/voices/{voice_id}', { voice_id });
	return outcome.ok ? readObject(outcome.reply.data) : {};
}

/**
 * Throws an error if a script contains a pause that its voice does not support. Fetches a voice
 * only if its script contains a pause.
 */
export async function rejectUnsupportedPauses(
	client: Client,
	...texts: readonly SpokenText[]
): Promise<void> {
	for (const { field, text, voice } of texts) {
		const [tag] = breakTag.exec(text ?? '') ?? [];
		if (tag === undefined || voice === undefined) continue;
		if ((await readVoice(client, voice)).support_pause !== false) continue;
		throw createOperationError(
			client.node,
			`"${field}" contains a pause (${tag}), but the voice ${voice} does not support pauses`,
			'Remove the pause, or choose a voice marked "supports pauses" in the list. Nothing was sent for this item.',
			{ code: 'invalid_value' },
		);
	}
}
