/** The same work by our nodes and by n8n's HTTP Request node. */
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { credentialType, withCredential, type Stage } from '../../tools/stage';
import { itemsOf, type Execution } from '../e2e/n8n';
import { byId, chain, errorText, itemsNode, start, type Link } from '../e2e/workflows';
import { video } from '../faults/creates';
import { times } from './rounds';

/** The node whose time is measured. */
export const measured = 'Measured';

/** A thousand rows of a sheet with their index in `i`. */
export const rows = (count: number): IDataObject[] =>
	times(count, (i) => ({ i, id: 'video_001', text: `Hello number ${i}, welcome to the team.` }));

/** What goes in as it comes out of the node's box. */
export const ourGet: Link = {
	name: measured,
	type: 'video',
	parameters: { operation: 'get', video_id: byId('={{ $json.id }}') },
};

/** The limit on jobs of a run protects from long sheets; here a long sheet is what is wanted. */
export const ourCreate = (count: number, more: INodeParameters = {}): Link => ({
	...video({ script: '={{ $json.text }}', options: { mostJobs: count, ...more } }),
	name: measured,
});

/** n8n's HTTP Request node as it comes, with the credential of ours. */
const httpRequest = (parameters: INodeParameters, more: Link['more'] = {}): Link => ({
	name: measured,
	type: 'n8n-nodes-base.httpRequest',
	parameters: {
		authentication: 'predefinedCredentialType',
		nodeCredentialType: credentialType,
		options: {},
		...parameters,
	},
	more: { typeVersion: 4.2, credentials: { [credentialType]: { id: null, name: '' } }, ...more },
});

export const theirGet = (
	{ simulator }: Stage,
	options: INodeParameters = {},
	more: Link['more'] = {},
) => httpRequest({ url: `=${simulator.baseUrl}/v3/videos/{{ $json.id }}`, options }, more);

export const theirCreate = (
	{ simulator }: Stage,
	options: INodeParameters = {},
	more: Link['more'] = {},
) =>
	httpRequest(
		{
			method: 'POST',
			url: `${simulator.baseUrl}/v3/videos`,
			sendBody: true,
			specifyBody: 'json',
			jsonBody:
				'={{ { type: "avatar", avatar_id: "look_001_1", script: $json.text, voice_id: "voice_001" } }}',
			options,
		},
		more,
	);

/** What came of the measured node. */
export interface Ran {
	/** Milliseconds that the node took by n8n's own account. */
	milliseconds: number;
	items: INodeExecutionData[];
	/** Items of its error output, or with an error in them. */
	failed: number;
	execution: Execution;
}

/** A workflow that is saved once and run as often as wanted. */
export async function workflow(stage: Stage, name: string, links: Link[]) {
	const { n8n, credential } = stage;
	const { id } = await n8n.createWorkflow(withCredential(chain(name, links), credential));
	return async (timeoutMs = 300_000): Promise<Ran> => {
		const execution = await n8n.run(id, { timeoutMs });
		const [run] = execution.data.resultData.runData[measured] ?? [];
		if (!run) throw new Error(errorText(execution) || 'The node did not run');
		const items = itemsOf(execution, measured);
		const failed = items.filter(({ json }) => json.error !== undefined).length;
		return { milliseconds: run.executionTime, items, failed, execution };
	};
}

/** A workflow that gives so many rows to the measured node. */
export const forRows = (stage: Stage, name: string, count: number, node: Link) =>
	workflow(stage, name, [start, ...itemsNode(rows(count)), node]);
