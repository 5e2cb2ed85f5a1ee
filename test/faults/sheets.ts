/** Sheets of rows: bad rows, sheets that change between two runs, and what rows carry with them. */
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { withCredential, type Stage } from '../../tools/stage';
import { errorOf, itemsOf, type Execution } from '../e2e/n8n';
import { chain, errorText, itemsNode, runDraft, start, type Link } from '../e2e/workflows';
import { batch, forItems, retried, save, session, video } from './creates';
import { countJobs, creates, foundByKeys, jobColumns, jobRow } from './jobs';
import type { FaultContext, Row, Scenario } from './scenario';

export const title = 'Sheets of rows';
export const columns = jobColumns;

const toErrorOutput: Partial<INode> = { onError: 'continueErrorOutput' };

const ended = ({ status }: Execution, wanted: string) =>
	status !== wanted && `it ended with ${status}`;

/** Every n-th row names a look that does not exist. */
const withBadLook = (bad: number, of: number): INodeParameters => ({
	avatar_id: {
		...{ __rl: true, mode: 'id' },
		value: `={{ $json.i % ${Math.floor(of / bad)} === 0 && $json.i < ${Math.floor(of / bad) * bad} ? 'look_bad' : 'look_001_1' }}`,
	},
});

const indexesOf = (execution: Execution, output: number) =>
	itemsOf(execution, 'Create', output).map(({ pairedItem }) =>
		typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : -1,
	);

async function badRows(context: FaultContext): Promise<Row[]> {
	const rows: Row[] = [];
	const count = 250;
	for (const bad of [1, 5, 60]) {
		const stage = await context.shared();
		const link = batch(withBadLook(bad, count), toErrorOutput);
		const execution = await runDraft(stage, forItems(count, link));
		const step = Math.floor(count / bad);
		const isBad = (i: number) => i % step === 0 && i < step * bad;
		const failed = indexesOf(execution, 1);
		const made = indexesOf(execution, 0);
		rows.push(
			jobRow(
				`X${rows.length + 1}`,
				`Of ${count} rows in batches, ${bad === 1 ? 'one names' : `${bad} name`} a look that does not exist. The error output receives exactly ${bad === 1 ? 'this row' : 'these rows'}.`,
				count - bad,
				await countJobs(stage, 'video', [execution.id]),
				[
					ended(execution, 'success'),
					(failed.length !== bad || !failed.every(isBad)) && `these failed: ${failed.join()}`,
					(made.length !== count - bad || made.some(isBad)) && `${made.length} rows were made`,
				],
			),
		);
	}
	const stage = await context.shared();
	const execution = await runDraft(stage, forItems(5, batch(withBadLook(1, 5))));
	const { itemIndex } =
		(errorOf(execution) as { context?: IDataObject } | undefined)?.context ?? {};
	rows.push(
		jobRow(
			'X4',
			'The first of 5 rows in a batch is bad, and On Error is set to stop. The batch is sent once, nothing is created, and the error names the row.',
			0,
			await countJobs(stage, 'video', [execution.id]),
			[
				ended(execution, 'error'),
				creates(stage, '/v3/videos/batches').length !== 1 && 'it was sent again',
				itemIndex !== 0 && `the error names item ${String(itemIndex)}`,
				!errorText(execution).includes('look_bad') && 'the error does not name the look',
			],
		),
	);
	return rows;
}

type Sheet = readonly string[];

const sheet: Sheet = ['Anna', 'Ben', 'Cleo', 'Dan', 'Eve'];

/** What users do to a sheet between two runs. */
const changedSheets: readonly Sheet[] = [
	sheet,
	[...sheet].reverse(),
	sheet.slice(1),
	[...sheet, 'Fay'],
	[...sheet, ...sheet],
];

const forSheet = (names: Sheet, link: Link) =>
	chain('Sheet', [start, ...itemsNode(names.map((name) => ({ name }))), link]);

/** Returns the names of rows that carry a video of another row. */
function findForeign({ simulator }: Stage, execution: Execution): string[] {
	const videos = simulator.control.jobs('video') as Array<{ id: string; title: string | null }>;
	const titles = new Map(videos.map((one) => [one.id, one.title]));
	return itemsOf(execution, 'Create').flatMap(({ json: { name, video_id: id } }) =>
		titles.get(String(id)) === `For ${String(name)}` ? [] : [String(name)],
	);
}

async function sheetsThatChange(context: FaultContext): Promise<Row[]> {
	const rows: Row[] = [];
	const all = changedSheets.flat().length;
	const different = new Set(changedSheets.flat()).size;
	// In Create Batch, each of two identical rows of a sheet is created.
	const twice = sheet.length;
	const options = { title: '=For {{ $json.name }}', includeInputFields: true };
	for (const [payOncePer, label, asked] of [
		['execution', 'Execution, each run is charged for its own videos.', all],
		['request', 'Unique Request, only new rows are paid for.', different],
		[
			'ownKey',
			"Custom Key and the row's name as the key, only new rows are paid for. Outside a batch, the node rejects a key that two rows share.",
			different,
		],
	] as const) {
		for (const create of [video, batch]) {
			const stage = await context.shared();
			const link = create({
				script: '=Hello {{ $json.name }}, this is a long enough text.',
				waitForCompletion: true,
				options: {
					...options,
					payOncePer,
					...(payOncePer === 'ownKey' ? { idempotencyKey: '=row-{{ $json.name }}' } : {}),
				},
				advanced: { pollInterval: 1 },
			});
			const id = await save(stage, forSheet(sheet, link));
			const runs: Execution[] = [];
			const wrong: Array<string | false> = [];
			for (const names of changedSheets) {
				const isRejected =
					payOncePer === 'ownKey' && create === video && new Set(names).size < names.length;
				await stage.n8n.updateWorkflow(id, withCredential(forSheet(names, link), stage.credential));
				const execution = await stage.n8n.run(id);
				const foreign = findForeign(stage, execution);
				runs.push(execution);
				if (isRejected) {
					const text = errorText(execution);
					wrong.push(!text.includes('for row 1') && `one key for two rows: ${text}`);
					continue;
				}
				wrong.push(
					ended(execution, 'success') && `${execution.status}: ${errorText(execution)}`,
					itemsOf(execution, 'Create').length !== names.length && 'items are missing',
					foreign.length > 0 && `foreign videos: ${foreign.join()}`,
				);
			}
			rows.push(
				jobRow(
					`X${5 + rows.length}`,
					`A sheet of five names runs five times${create === batch ? ' in a batch' : ''}: unchanged, reversed, without its first row, with a sixth row, and with each row twice. Every row gets the video with its own name. With Pay Once Per set to ${label}`,
					create === batch && payOncePer !== 'execution' ? asked + twice : asked,
					await countJobs(
						stage,
						'video',
						runs.map((one) => one.id),
					),
					wrong,
				),
			);
		}
	}
	return rows;
}

async function paidOnce(context: FaultContext): Promise<Row[]> {
	const rows: Row[] = [];
	{
		const stage = await context.shared();
		const fixed = (more: INodeParameters) =>
			forItems(30, batch({ ...more, options: { payOncePer: 'request' } }, toErrorOutput));
		const id = await save(stage, fixed(withBadLook(1, 30)));
		const first = await stage.n8n.run(id);
		await stage.n8n.updateWorkflow(id, withCredential(fixed({}), stage.credential));
		const second = await stage.n8n.run(id);
		rows.push(
			jobRow(
				'X11',
				'One of 30 rows in a batch is bad, and Pay Once Per is set to Unique Request. The row is corrected, and all 30 rows run again. The Requested column counts 29 rows and 1 corrected row.',
				30,
				await countJobs(stage, 'video', [first.id, second.id]),
				[
					itemsOf(first, 'Create').length !== 29 && 'the first run did not make 29',
					itemsOf(second, 'Create').length !== 30 && 'the second run did not output 30',
				],
			),
		);
	}
	{
		const stage = await context.shared();
		stage.simulator.control.fail({
			...{ method: 'POST', path: '/v3/videos' },
			data: { video_id: 'video_of_a_proxy' },
		});
		const link = video({}, { onError: 'continueRegularOutput' });
		const execution = await runDraft(stage, forItems(3, link));
		stage.simulator.control.clearFaults();
		const byKeys = await foundByKeys(stage, '/v3/videos');
		const carried = itemsOf(execution, 'Create').filter(({ json }) => !json.error);
		rows.push(
			jobRow(
				'X12',
				'A proxy returns the same ID for the create requests of three videos. No item contains this ID.',
				3,
				await countJobs(stage, 'video', undefined, byKeys),
				[carried.length > 0 && `${carried.length} items carry it`],
			),
		);
	}
	for (const error of ['', 0]) {
		const stage = await context.shared();
		stage.simulator.control.fail({ method: 'POST', path: '/v3/video-agents', data: { error } });
		const execution = await runDraft(stage, forItems(2, session({}, retried)));
		stage.simulator.control.clearFaults();
		rows.push(
			jobRow(
				`X${rows.length + 11}`,
				`Two agent sessions (no idempotency key) are created with Retry On Fail turned on. The responses have \`error: ${JSON.stringify(error)}\` next to the ID.`,
				2,
				await countJobs(stage, 'session', [execution.id]),
				[ended(execution, 'success')],
			),
		);
	}
	return rows;
}

/** n8n's node that runs another workflow, with Retry On Fail. */
async function subWorkflows(context: FaultContext): Promise<Row[]> {
	const rows: Row[] = [];
	for (const [payOncePer, label] of [
		['execution', 'Execution'],
		['request', 'Unique Request'],
	] as const) {
		const stage = await context.shared();
		const child = chain('Child', [
			{
				name: 'Called',
				type: 'n8n-nodes-base.executeWorkflowTrigger',
				parameters: { inputSource: 'passthrough' },
				more: { typeVersion: 1.1 },
			},
			video({ options: { payOncePer }, advanced: { requestsAtOnce: 1 } }),
		]);
		const childId = await save(stage, child);
		await stage.n8n.activate(childId);
		const { control } = stage.simulator;
		control.fail({ method: 'POST', path: '/v3/videos', delayMs: 1, times: 3 });
		control.fail({ method: 'POST', path: '/v3/videos', status: 402, times: 1 });
		const call: Link = {
			name: 'Call',
			type: 'n8n-nodes-base.executeWorkflow',
			parameters: {
				source: 'database',
				workflowId: { __rl: true, mode: 'id', value: childId },
				mode: 'once',
				options: {},
			},
			more: { ...retried, typeVersion: 1.2 },
		};
		const execution = await runDraft(stage, forItems(5, call));
		const row = jobRow(
			`X${15 + rows.length}`,
			`The fourth of 5 create requests in a sub-workflow is rejected once (402). Retry On Fail is turned on in the calling node, and Pay Once Per is set to ${label}.`,
			5,
			await countJobs(stage, 'video'),
			[
				ended(execution, 'success') && `${execution.status}: ${errorText(execution)}`,
				itemsOf(execution, 'Call').length !== 5 && 'items are missing',
			],
		);
		const known =
			'n8n runs the sub-workflow again in a new execution, without the data of the first one';
		rows.push(payOncePer === 'execution' ? { ...row, known } : row);
	}
	return rows;
}

/** What the items of rows carry: the row's own fields, and files that a person recognizes. */
async function rowFields(context: FaultContext): Promise<Row[]> {
	const stage = await context.shared();
	const languages = ['German', 'Spanish', 'Italian'];
	const translate: Link = {
		name: 'Create',
		type: 'n8n-nodes-videogen.videoGenTranslation',
		parameters: {
			operation: 'create',
			video: { __rl: true, mode: 'url', value: 'https://example.com/welcome.mp4' },
			output_languages: languages,
			mode: 'speed',
			waitForCompletion: true,
			download: ['video'],
			options: { title: '=Welcome {{ $json.name }}', includeInputFields: true },
			advanced: { pollInterval: 1 },
		},
	};
	const row = { name: 'Anna', email: 'anna@example.com' };
	const execution = await runDraft(stage, chain('Rows', [start, ...itemsNode([row]), translate]));
	const items = itemsOf(execution, 'Create');
	const names = items.map(({ binary }) => binary?.data?.fileName ?? 'none');
	return [
		jobRow(
			'X17',
			"One row's video is translated into three languages, with Include Input Fields turned on. Each item includes the row's name and email address, and its file name contains the title and the language.",
			3,
			await countJobs(stage, 'translation', [execution.id]),
			[
				items.some(({ json }) => json.name !== row.name || json.email !== row.email) &&
					'an item lacks the fields of its row',
				languages.some((language) => !names.includes(`Welcome Anna.${language}.mp4`)) &&
					`the files are ${names.join(', ')}`,
			],
		),
	];
}

export const scenario: readonly Scenario[] = [
	{ name: 'bad rows of a batch', short: true, run: badRows },
	{ name: 'sheets that change between two runs', short: false, run: sheetsThatChange },
	{ name: 'rows that are paid once', short: false, run: paidOnce },
	{ name: 'sub-workflows that are run again', short: false, run: subWorkflows },
	{ name: 'fields and files of rows', short: false, run: rowFields },
];
