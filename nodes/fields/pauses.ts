/** Pauses in a text: break tags, which not every voice knows (docs/service.md, Resources). */
import type { IDataObject } from 'n8n-workflow';
import { createOperationError } from '../core/errors/nodeErrors';
import type { Client } from '../core/http/client';
import { isObject, readObject, readText } from '../core/json';

const breakTag = /<break\b[^>]*>/i;

/** Words and who speaks them, with the name of their field. */
interface SpokenText {
	field: string;
	text?: string;
	voice?: string;
}

/** What is spoken in a payload for the service, at any depth: a script beside the ID of a voice. */
export function findSpokenTexts(field: string, payload: unknown): SpokenText[] {
	if (Array.isArray(payload)) return payload.flatMap((one: unknown) => findSpokenTexts(field, one));
	if (!isObject(payload)) return [];
	const { script, voice_id } = payload;
	const own = { field, text: readText(script), voice: readText(voice_id) };
	return [own, ...Object.values(payload).flatMap((inner) => findSpokenTexts(field, inner))];
}

/** What the service tells of a voice; nothing where it cannot be read. Read once in a run. */
async function readVoice(client: Client, voice_id: string): Promise<IDataObject> {
	return await client.shareInRun(`voice ${voice_id}`, async () => {
		const line = 'GET /v3/voices/{voice_id}';
		const outcome = await client.tryRequest({ line, path: { voice_id } });
		return outcome.ok ? readObject(outcome.reply.data) : {};
	});
}

/** Refuses texts with pauses for voices that do not know them. Asks only about such texts. */
export async function refuseUnsupportedPauses(
	client: Client,
	...all: readonly SpokenText[]
): Promise<void> {
	for (const { field, text, voice } of all) {
		const [tag] = breakTag.exec(text ?? '') ?? [];
		if (tag === undefined || voice === undefined) continue;
		if ((await readVoice(client, voice)).support_pause !== false) continue;
		throw createOperationError(
			client.node,
			`"${field}" has a pause (${tag}), but the voice ${voice} knows none`,
			'Remove the pause, or choose a voice whose entry in the list says "takes pauses". Nothing was sent for this item.',
			{ code: 'invalid_value' },
		);
	}
}
