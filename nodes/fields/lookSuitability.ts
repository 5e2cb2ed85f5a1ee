/**
 * Checks whether an avatar look supports the options of the video that uses it. The service lists
 * the supported engines of each look (service.md, Resources).
 */
import { createInvalidValuesError } from '../core/errors/nodeErrors';
import { fetchResourceOncePerRun, type Client } from '../core/http/client';
import { getOwnProperty, isObject, readObject, readText } from '../core/json';

/**
 * Avatar look that a video or scene uses, together with the selected options that not every look
 * supports.
 */
interface LookUse {
	look?: string;
	engine?: string;
	referenceLook?: string;
}

/** Returns a video's look and those of the video's options that not every look supports. */
export const buildLookUse = (values: {
	avatar_id?: unknown;
	engine?: unknown;
	reference_look_id?: unknown;
}): LookUse => ({
	look: readText(values.avatar_id),
	engine: readText(values.engine),
	referenceLook: readText(values.reference_look_id),
});

/** Finds all avatar looks in a request body in API format, at any depth. */
export function findLookUses(body: unknown): LookUse[] {
	if (Array.isArray(body)) return body.flatMap(findLookUses);
	if (!isObject(body)) return [];
	const { type, reference_look_id } = readObject(body.engine);
	const use = buildLookUse({ ...body, engine: type, reference_look_id });
	return [use, ...Object.values(body).flatMap(findLookUses)];
}

/** Fetches an avatar look, at most once per run. Returns an empty object if the request fails. */
async function readLook(client: Client, look_id: string) {
	const outcome = await fetchResourceOncePerRun(client, 'GET /v3/avatars/looks/{look_id}', {
		look_id,
	});
	return outcome.ok ? readObject(outcome.reply.data) : {};
}

const engineNames: Readonly<Record<string, string>> = {
	avatar_iii: 'Avatar III',
	avatar_iv: 'Avatar IV',
	avatar_v: 'Avatar V',
};

/**
 * Throws an error if a look does not support an option of the video that uses it. Fetches a look
 * only if the video has such an option. Checks only the properties that the service returns.
 */
export async function rejectUnsuitableLooks(
	client: Client,
	...uses: readonly LookUse[]
): Promise<void> {
	for (const { look, engine = '', referenceLook } of uses) {
		// The service may have engines that it does not list (service.md, Limits).
		const engineName = getOwnProperty(engineNames, engine);
		if (look === undefined || (engineName === undefined && referenceLook === undefined)) continue;
		const { supported_api_engines: engines, group_id } = await readLook(client, look);
		const supported = Array.isArray(engines) ? engines.map(String) : [];
		const problems: string[] = [];
		if (engineName !== undefined && supported.length > 0 && !supported.includes(engine)) {
			const names = supported.map((one) => engineNames[one] ?? one).join(' or ');
			problems.push(
				`"Engine" ${engineName} does not support the look ${look}: choose ${names} or another look`,
			);
		}
		if (referenceLook !== undefined) {
			const reference = await readLook(client, referenceLook);
			const groups = [group_id, reference.group_id].filter((id) => typeof id === 'string');
			if (groups.length === 2 && groups[0] !== groups[1]) {
				problems.push(
					`"Reference Look" ${referenceLook} and the look ${look} belong to different avatars: choose a look of the same avatar`,
				);
			}
		}
		if (problems.length > 0) throw createInvalidValuesError(client.node, problems);
	}
}
