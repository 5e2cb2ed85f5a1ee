/** Pauses in a text: break tags, which not every voice knows (docs/service.md, Resources). */
import type { IDataObject } from 'n8n-workflow';
import { operationError } from '../core/errors/words';
import type { Client } from '../core/http/client';
import { objectOf } from '../core/json';

const breakTag = /<break\b[^>]*>/i;

/** What the service tells of a voice; nothing where it cannot be read. Read once in a run. */
async function readVoice(client: Client, voice_id: string): Promise<IDataObject> {
	return await client.memo(`voice ${voice_id}`, async () => {
		const line = 'GET /v3/voices/{voice_id}';
		const outcome = await client.attempt({ line, path: { voice_id } });
		return outcome.ok ? objectOf(outcome.reply.data) : {};
	});
}

/** Refuses a text with pauses for a voice that does not know them. Asks only about such a text. */
export async function refusePauses(
	client: Client,
	field: string,
	text: string | undefined,
	voice: string | undefined,
): Promise<void> {
	const [tag] = breakTag.exec(text ?? '') ?? [];
	if (tag === undefined || voice === undefined) return;
	if ((await readVoice(client, voice)).support_pause !== false) return;
	throw operationError(
		client.node,
		`"${field}" has a pause (${tag}), but the voice ${voice} knows none`,
		'Remove the pause, or choose a voice whose entry in the list says "takes pauses". Nothing was sent for this item.',
		{ code: 'invalid_value' },
	);
}
