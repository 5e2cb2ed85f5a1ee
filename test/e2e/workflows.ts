/** Builds small workflows for the flows, and reads their executions. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { projectRoot } from '../../tools/install';
import { packageName, withCredential, type Stage } from '../../tools/stage';
import { errorOf, type Execution, itemsOf, type WorkflowDraft } from './n8n';

export { until } from './until';

/** One node of a workflow that is a chain. */
export interface Link {
	name: string;
	/** `agent`, `video`, `trigger`, or a full type name. */
	type: string;
	parameters?: INodeParameters;
	more?: Partial<INode>;
}

const ours: Record<string, string> = {
	agent: `${packageName}.videoGenAgent`,
	video: `${packageName}.videoGenVideo`,
	trigger: `${packageName}.videoGenTrigger`,
};

/**
 * Poll times of a trigger: every ten seconds. n8n rejects one cron expression for that, but not six of
 * one minute each.
 */
export const everyTenSeconds: INodeParameters = {
	item: ['0', '10', '20', '30', '40', '50'].map((second) => ({
		mode: 'custom',
		cronExpression: `${second} * * * * *`,
	})),
};

export const start: Link = { name: 'Start', type: 'n8n-nodes-base.manualTrigger' };

/** Nodes that output these items. */
export const itemsNode = (items: IDataObject[]): Link[] => [
	{
		name: 'List',
		type: 'n8n-nodes-base.set',
		parameters: { mode: 'raw', jsonOutput: JSON.stringify({ items }), options: {} },
		more: { typeVersion: 3.4 },
	},
	{
		name: 'Items',
		type: 'n8n-nodes-base.splitOut',
		parameters: { fieldToSplitOut: 'items', options: {} },
	},
];

/** A workflow whose nodes follow one another. */
export function chain(name: string, links: Link[]): WorkflowDraft {
	const nodes = links.map((link, i): INode => {
		const type = ours[link.type] ?? link.type;
		const own = type.startsWith(packageName);
		return {
			id: `node-${i}`,
			name: link.name,
			type,
			typeVersion: link.type === 'trigger' ? 2 : 1,
			position: [i * 224, 0],
			parameters: own ? { authentication: 'apiKey', ...link.parameters } : (link.parameters ?? {}),
			...(link.type === 'trigger' ? { webhookId: crypto.randomUUID() } : {}),
			...link.more,
		};
	});
	return {
		name,
		nodes,
		connections: Object.fromEntries(
			links
				.slice(1)
				.map((link, i) => [
					links[i]?.name ?? '',
					{ main: [[{ node: link.name, type: 'main' as const, index: 0 }]] },
				]),
		),
		settings: { executionOrder: 'v1' },
	};
}

export const byId = (value: string) => ({ __rl: true as const, mode: 'id', value });

/** Saves a workflow with the stage's credential and runs it to its end. */
export async function runDraft(
	{ n8n, credential }: Pick<Stage, 'n8n' | 'credential'>,
	draft: WorkflowDraft,
	timeoutMs = 120_000,
): Promise<Execution> {
	const { id } = await n8n.createWorkflow(withCredential(draft, credential));
	return await n8n.run(id, { timeoutMs });
}

const needsAccount = /\.(gmail|slack|telegram|googleDrive|googleSheets)$/;

/**
 * An example of the repository as its user runs it: published, with events and answers of its own. Nodes
 * that need an account of another service pass their input on, also those that are deactivated until
 * then; a sheet keeps its sample rows.
 */
export function example(file: string): WorkflowDraft {
	const draft = readExample(file);
	const isSheet = (name: string) =>
		draft.nodes.some((node) => node.name === name && node.type.endsWith('.googleSheets'));
	const pinned = Object.entries(draft.pinData ?? {}).filter(([name]) => isSheet(name));
	return {
		...draft,
		nodes: draft.nodes.map((node) =>
			needsAccount.test(node.type) && !isSheet(node.name)
				? { ...node, type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {}, disabled: false }
				: node,
		),
		pinData: Object.fromEntries(pinned),
	};
}

/** An example as it is in the repository, with all its sample data. */
export const readExample = (file: string) =>
	JSON.parse(readFileSync(join(projectRoot, 'examples', file), 'utf8')) as WorkflowDraft;

/** The items of a node of an execution that succeeded. */
export function succeeded(execution: Execution, node: string): INodeExecutionData[] {
	assert.equal(execution.status, 'success', errorText(execution));
	return itemsOf(execution, node);
}

/** The file with which the simulator answers as the result of a job. */
export const media = (file: string) => readFileSync(join(projectRoot, 'simulator', 'media', file));

/** Asserts that an item has this file of the simulator, byte for byte. */
export async function assertFile(
	n8n: Stage['n8n'],
	item: INodeExecutionData | undefined,
	field: string,
	file: string,
): Promise<void> {
	const binary = item?.binary?.[field];
	assert.ok(binary, `no file in ${field}, but in ${Object.keys(item?.binary ?? {}).join(', ')}`);
	assert.ok((await n8n.binary(binary)).equals(media(file)), `${field} is not ${file}`);
}

/** Saves and publishes a workflow, uses it, and unpublishes it. */
export async function whilePublished<T>(
	{ n8n, credential }: Pick<Stage, 'n8n' | 'credential'>,
	draft: WorkflowDraft,
	use: (id: string) => Promise<T>,
): Promise<T> {
	const { id } = await n8n.createWorkflow(withCredential(draft, credential));
	await n8n.activate(id);
	try {
		return await use(id);
	} finally {
		await n8n.deactivate(id);
	}
}

/** Message and description of the error that ended an execution. */
export function errorText(execution: Execution): string {
	const error = errorOf(execution) as { message?: string; description?: string } | undefined;
	return [error?.message, error?.description].filter(Boolean).join('\n');
}
