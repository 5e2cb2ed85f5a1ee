/**
 * Workflows in which a node waits for its jobs. Most of them are suspended meanwhile. In some, n8n would
 * lose the result, so the node has to wait in place.
 */
import assert from 'node:assert/strict';
import type { INode, INodeParameters } from 'n8n-workflow';
import { request } from 'undici';
import { packageName, withCredential, type Simulator, type Stage } from '../../tools/stage';
import { itemsOf, type Execution, type WorkflowDraft } from './n8n';
import { byId, errorText, itemsNode, until } from './workflows';

/** A workflow, and the result of its execution. */
export interface Shape {
	name: string;
	draft: WorkflowDraft;
	/** Started as the editor does, instead of by a call to the published webhook. */
	isManual?: boolean;
	/** Executed only up to this node, as "Execute step" does. */
	destination?: string;
	/** Workflows that it calls, by the name that takes the place of their ID. */
	calls?: Record<string, WorkflowDraft>;
	/** Path below /webhook, and body, that start it. */
	entry?: { path: string; body?: object };
	/** Number of jobs that are created: three by default. */
	videos?: number;
	/** Kind of these jobs: `video` by default. */
	kind?: 'session';
	/** What the items say about who has created their jobs: `created` by default. */
	creation?: 'continued';
	/** Rows that arrive at the node `Done`, in this order: all three by default. */
	rows?: readonly number[];
	/** How many runs the node `Done` has: one by default. */
	runs?: number;
	/** Checks beyond these. */
	check?(execution: Execution): void;
	/** What the caller of the webhook gets. */
	answer?: RegExp;
}

const to = (node: string, index = 0) => ({ node, type: 'main' as const, index });

let nodes = 0;

const node = (
	name: string,
	type: string,
	parameters: INodeParameters = {},
	more: Partial<INode> = {},
): INode => ({
	id: `shape-${++nodes}`,
	name,
	type: type.includes('.') ? type : `n8n-nodes-base.${type}`,
	typeVersion: 1,
	position: [nodes * 10, 0],
	parameters,
	...more,
});

const webhook = (path: string, parameters: INodeParameters = {}) =>
	node(
		'Start',
		'webhook',
		{ httpMethod: 'POST', path, responseMode: 'onReceived', options: {}, ...parameters },
		{ typeVersion: 2, webhookId: path },
	);

/** Nodes that output three rows. */
const items = () =>
	itemsNode([0, 1, 2].map((row) => ({ row }))).map(({ name, type, parameters, more }) =>
		node(name, type, parameters, more),
	);

/** Creates a video for each row, and waits for it. `shape` makes the texts of a shape its own. */
export const create = (
	shape: string,
	name = 'Create',
	parameters: INodeParameters = {},
	more: Partial<INode> = {},
) =>
	node(
		name,
		`${packageName}.videoGenVideo`,
		{
			authentication: 'apiKey',
			operation: 'createAvatar',
			avatar_id: byId('look_001_1'),
			speechFrom: 'text',
			script: `=Shape [${shape}], ${name}, number {{ $("Items").item.json.row }}, a long enough text.`,
			voice_id: byId('voice_001'),
			waitForCompletion: true,
			...parameters,
		},
		more,
	);

export const done = (more: Partial<INode> = {}) =>
	node(
		'Done',
		'set',
		{
			mode: 'raw',
			jsonOutput:
				'={{ { row: $("Items").item.json.row, job_id: $json.session_id ?? $json.video_id, outcome: $json.outcome, creation: $json.creation } }}',
			options: {},
		},
		{ typeVersion: 3.4, ...more },
	);

/** A workflow of nodes that follow one another, with other connections where they differ. */
function connect(
	name: string,
	all: INode[],
	connections: Record<string, Array<Array<string | [string, number]>>> = {},
	settings: WorkflowDraft['settings'] = {},
): WorkflowDraft {
	const chained = all.slice(1).map(({ name: next }, i): [string, string[][]] => {
		return [all[i]?.name ?? '', [[next]]];
	});
	const wanted = { ...Object.fromEntries(chained), ...connections };
	return {
		name,
		nodes: all,
		connections: Object.fromEntries(
			Object.entries(wanted).map(([from, outputs]) => [
				from,
				{
					main: outputs.map((ends) =>
						ends.map((end) => (typeof end === 'string' ? to(end) : to(...end))),
					),
				},
			]),
		),
		settings: { executionOrder: 'v1', ...settings },
	};
}

const pass = (name: string) => node(name, 'noOp');

const isEven = (name: string, output = 0) =>
	node(
		name,
		'if',
		{
			conditions: {
				options: { version: 2, caseSensitive: true, typeValidation: 'loose' },
				combinator: 'and',
				conditions: [
					{
						id: '1',
						leftValue: output === 0 ? '={{ $json.row % 2 }}' : '={{ -1 }}',
						rightValue: 0,
						operator: { type: 'number', operation: 'equals' },
					},
				],
			},
			options: {},
		},
		{ typeVersion: 2.2 },
	);

/** The path of the webhook that starts a shape. */
export const pathOf = ({ name }: Pick<Shape, 'name'>) =>
	`shape-${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;

/** A chain from the webhook to `Done`. */
export function simple(
	name: string,
	between: INode[],
	more: Partial<Omit<Shape, 'name' | 'draft'>> & {
		connections?: Parameters<typeof connect>[2];
		settings?: WorkflowDraft['settings'];
		start?: INode;
		last?: INode;
	} = {},
): Shape {
	const { connections, settings, start = webhook(pathOf({ name })), last = done(), ...rest } = more;
	const draft = connect(name, [start, ...items(), ...between, last], connections, settings);
	return { name, draft, ...rest };
}

const loopOver = (name: string, batchSize: number) =>
	node(name, 'splitInBatches', { batchSize, options: {} }, { typeVersion: 3 });

/** The shapes whose nodes suspend the execution. */
export const suspendedShapes = (): Shape[] => [
	simple('Simple', [create('Simple')]),
	simple('Batch', [create('Batch', 'Create', { operation: 'createBatch', itemIs: 'avatar' })]),
	simple(
		'Two creates in a row',
		[create('Two creates in a row'), create('Two creates in a row', 'Again')],
		{
			videos: 6,
		},
	),
	simple(
		'Two branches and Merge',
		[
			create('Two branches and Merge', 'Left'),
			create('Two branches and Merge', 'Right'),
			node('Merge', 'merge', { mode: 'append' }, { typeVersion: 3 }),
		],
		{
			connections: { Items: [['Left', 'Right']], Left: [[['Merge', 0]]], Right: [[['Merge', 1]]] },
			videos: 6,
			rows: [0, 1, 2, 0, 1, 2],
		},
	),
	simple('One node run twice', [pass('Left'), pass('Right'), create('One node run twice')], {
		connections: { Items: [['Left', 'Right']], Left: [['Create']], Right: [['Create']] },
		videos: 6,
		runs: 2,
	}),
	simple('Loop Over Items', [loopOver('Loop', 2), create('Loop Over Items')], {
		connections: { Loop: [['Done'], ['Create']], Create: [['Loop']] },
	}),
	simple('If with an empty branch', [isEven('If', 1), create('If with an empty branch')], {
		connections: { If: [[], ['Create']] },
	}),
	simple(
		'If with two branches',
		[isEven('If'), create('If with two branches', 'Even'), create('If with two branches', 'Odd')],
		{
			connections: { If: [['Even'], ['Odd']], Even: [['Done']], Odd: [['Done']] },
			rows: [1],
			runs: 2,
		},
	),
	simple('Execute Once', [create('Execute Once', 'Create', {}, { executeOnce: true })], {
		videos: 1,
		rows: [0],
	}),
	simple('Always Output Data', [
		create('Always Output Data', 'Create', {}, { alwaysOutputData: true }),
	]),
	...(['continueRegularOutput', 'continueErrorOutput'] as const).map((onError) =>
		simple(`On Error ${onError}`, [create(`On Error ${onError}`, 'Create', {}, { onError })]),
	),
	simple('Retry On Fail', [
		create('Retry On Fail', 'Create', {}, { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 }),
	]),
	simple('Downloads', [create('Downloads', 'Create', { download: ['video'] })], {
		check: (execution) =>
			assert.ok(itemsOf(execution, 'Create').every(({ binary }) => binary?.data !== undefined)),
	}),
	simple(
		'Agent',
		[
			{
				...create('Agent'),
				type: `${packageName}.videoGenAgent`,
				parameters: {
					...{ authentication: 'apiKey', operation: 'create', waitForCompletion: true },
					prompt: '=Shape [Agent], number {{ $json.row }}',
				},
			},
		],
		{ kind: 'session' },
	),
	simple('Manual', [create('Manual')], { isManual: true }),
	simple('Execute step', [create('Execute step')], {
		isManual: true,
		destination: 'Create',
		rows: [],
		runs: 0,
		check: (execution) => assert.equal(itemsOf(execution, 'Create').length, 3),
	}),
	simple(
		'Respond to Webhook',
		[
			node(
				'Respond',
				'respondToWebhook',
				{ respondWith: 'text', responseBody: 'taken' },
				{ typeVersion: 1.1 },
			),
			create('Respond to Webhook'),
		],
		{
			start: webhook('shape-respond-to-webhook', { responseMode: 'responseNode' }),
			answer: /taken/,
		},
	),
];

const subWorkflow = (name: string): WorkflowDraft =>
	connect(`Called by ${name}`, [
		node('Called', 'executeWorkflowTrigger', { inputSource: 'passthrough' }, { typeVersion: 1.1 }),
		{
			...create(name),
			parameters: {
				...create(name).parameters,
				script: `=Shape [${name}], number {{ $json.row }}, a long enough text.`,
				options: { includeInputFields: true },
			},
		},
	]);

/** Calls a workflow for all items, or for each. */
const calling = (name: string, mode: 'once' | 'each'): Shape =>
	simple(
		name,
		[
			node(
				'Call',
				'executeWorkflow',
				{
					workflowId: { __rl: true, mode: 'id', value: 'sub' },
					mode,
					options: { waitForSubWorkflow: true },
				},
				{ typeVersion: 1.2 },
			),
		],
		{
			calls: { sub: subWorkflow(name) },
			last: node(
				'Done',
				'set',
				{
					mode: 'raw',
					jsonOutput:
						'={{ { row: $json.row, job_id: $json.video_id, outcome: $json.outcome, creation: $json.creation } }}',
					options: {},
				},
				{ typeVersion: 3.4 },
			),
		},
	);

/** A sub-workflow that is called once is suspended, and so is its caller. On n8n 1, it waits in place. */
export const calledOnce = (): Shape => calling('Sub-workflow once', 'once');

/** The shapes in which n8n would lose items or an answer, so that the node waits in place. */
export const inPlaceShapes = (): Shape[] => [
	calling('Sub-workflow each', 'each'),
	simple('Webhook that answers at the end', [create('Webhook that answers at the end')], {
		start: webhook('shape-webhook-that-answers-at-the-end', {
			responseMode: 'lastNode',
			responseData: 'allEntries',
		}),
		answer: /"row":2/,
	}),
	simple('Chat that answers at the end', [create('Chat that answers at the end')], {
		start: node(
			'Start',
			'@n8n/n8n-nodes-langchain.chatTrigger',
			{ public: true, mode: 'webhook', options: {} },
			{ typeVersion: 1.1, webhookId: 'shape-chat' },
		),
		entry: {
			path: 'shape-chat/chat',
			body: { action: 'sendMessage', sessionId: 'shape', chatInput: 'Go' },
		},
		answer: /"outcome":"finished"/,
	}),
	simple(
		'Old execution order',
		[
			create('Old execution order', 'Left'),
			create('Old execution order', 'Right'),
			node('Merge', 'merge', { mode: 'append' }, { typeVersion: 3 }),
		],
		{
			settings: { executionOrder: 'v0' },
			connections: { Items: [['Left', 'Right']], Left: [[['Merge', 0]]], Right: [[['Merge', 1]]] },
			videos: 6,
			rows: [0, 1, 2, 0, 1, 2],
		},
	),
];

/** VideoGen Job Status waits for the jobs of two creates. */
export function gathering(): Shape {
	const name = 'Gathering';
	const off = { waitForCompletion: false };
	return simple(
		name,
		[
			create(name, 'Left', off),
			create(name, 'Right', { ...off, operation: 'createBatch', itemIs: 'avatar' }),
			node('Merge', 'merge', { mode: 'append' }, { typeVersion: 3 }),
			node('Wait', `${packageName}.videoGenJob`, { authentication: 'apiKey', operation: 'wait' }),
		],
		{
			connections: {
				Items: [['Left', 'Right']],
				Left: [[['Merge', 0]]],
				Right: [[['Merge', 1]]],
			},
			videos: 6,
			rows: [0, 1, 2, 0, 1, 2],
		},
	);
}

/** A shape whose execution has started. */
export interface Started {
	shape: Shape;
	/** ID of the execution. */
	id: string;
	/** What the caller of its webhook gets. */
	answer?: Promise<{ status: number; text: string }>;
}

/** Saves and starts a shape. */
export async function startShape(
	{ n8n, credential }: Pick<Stage, 'n8n' | 'credential'>,
	shape: Shape,
): Promise<Started> {
	const save = async (draft: WorkflowDraft) =>
		await n8n.createWorkflow(withCredential(draft, credential));
	let text = JSON.stringify(shape.draft);
	for (const [name, draft] of Object.entries(shape.calls ?? {})) {
		const { id } = await save(draft);
		await n8n.activate(id).catch(() => {});
		text = text.replaceAll(`"value":"${name}"`, `"value":"${id}"`);
	}
	const { id: workflowId } = await save(JSON.parse(text) as WorkflowDraft);
	if (shape.isManual) {
		const id = await n8n.start(workflowId, { trigger: 'List', destination: shape.destination });
		return { shape, id };
	}
	await n8n.activate(workflowId);
	const { path = pathOf(shape), body = {} } = shape.entry ?? {};
	const answer = request(`${n8n.baseUrl}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
		headersTimeout: 600_000,
	}).then(async (response) => ({
		status: response.statusCode,
		text: await response.body.text(),
	}));
	const id = await until(`the execution of "${shape.name}"`, async () => {
		const [execution] = await n8n.executions({ workflowId });
		return execution?.id;
	});
	return { shape, id, answer };
}

/** Checks that each row came out once, in order, with the video that was made for it, paid once. */
export async function checkShape(
	{ shape, answer }: Started,
	execution: Execution,
	{ control }: Pick<Simulator, 'control'>,
): Promise<void> {
	const { name, rows = [0, 1, 2], runs = 1, videos = 3, creation: expected = 'created' } = shape;
	assert.equal(execution.status, 'success', `${name}: ${errorText(execution)}`);
	const jobs = control.jobs(shape.kind ?? 'video') as Array<{ id: string }>;
	const own = new Map(
		jobs
			.map((job) => [job.id, JSON.stringify(job)] as const)
			.filter(([, text]) => text.includes(`[${name}]`)),
	);
	assert.equal(own.size, videos, `jobs of "${name}"`);
	const out = itemsOf(execution, 'Done').map(({ json }) => json);
	assert.deepEqual(
		out.map(({ row }) => row),
		rows,
		name,
	);
	for (const { row, job_id: id, outcome, creation } of out) {
		assert.deepEqual([outcome, creation ?? null], ['finished', expected], name);
		const isOwn = own.get(String(id))?.includes(`number ${String(row)}`);
		assert.ok(isOwn, `"${name}": ${String(id)} is not of row ${String(row)}`);
	}
	assert.equal(
		execution.data.resultData.runData.Done?.length ?? 0,
		runs,
		`runs of Done in "${name}"`,
	);
	shape.check?.(execution);
	if (!answer) return;
	const { status, text } = await answer;
	assert.equal(status, 200, `"${name}" was answered ${text}`);
	if (shape.answer) assert.match(text, shape.answer, name);
}
