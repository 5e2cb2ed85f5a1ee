/** Defines form fields and options that many operations share, such as Return All and Simplify. */
import type { GenericValue, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import type { ResultFileType } from '../jobs/types';
import { toUnixSeconds } from '../time';
import { aiToolCondition, type Field, type FieldValues } from './field';
import { createTextSchema } from './validation';

const returnAll = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
} as const satisfies Field;

const limit = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	displayOptions: { show: { returnAll: [false] } },
	description: 'Max number of results to return',
	schema: z.number().int().min(1),
} as const satisfies Field;

const simple = {
	displayName: 'Simplify',
	name: 'simple',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
} as const satisfies Field;

/** Schema of a date and time. Without a time zone, the workflow's time zone applies. */
const dateTimeSchema = z
	.unknown()
	.refine((value) => toUnixSeconds(value) !== undefined, {
		message: 'must be a date such as 2026-01-31 or 2026-01-31T09:00:00',
	})
	.transform((value) => value as GenericValue);

/** Hint on how to enter a relative time: n8n's date picker offers only fixed times. */
const relativeTimeHint =
	'For a relative time, switch to Expression: {{ $now.minus({ days: 7 }) }} is one week ago';

const createdAfter = {
	displayName: 'Created After',
	name: 'createdAfter',
	type: 'dateTime',
	default: '',
	description: 'Earliest creation time of the results, inclusive. If not set, there is no limit.',
	hint: relativeTimeHint,
	schema: dateTimeSchema,
} as const satisfies Field;

const createdBefore = {
	displayName: 'Created Before',
	name: 'createdBefore',
	type: 'dateTime',
	default: '',
	description: 'Latest creation time of the results, inclusive. If not set, there is no limit.',
	hint: relativeTimeHint,
	schema: dateTimeSchema,
} as const satisfies Field;

const waitForCompletion = {
	displayName: 'Wait for Completion',
	name: 'waitForCompletion',
	type: 'boolean',
	default: true,
	inTools: {
		default: true,
		description:
			'Whether a call by an AI agent waits until the result is finished, for at most 30 minutes or the time set in the "Wait Timeout" option. After that time, the agent is asked to call the tool again, which continues the wait. After the next chat message, calling the tool again creates another result and charges you for it. To avoid that, add a second tool that uses Get. When turned off, the agent gets the ID immediately and needs that second tool to read the result.',
	},
	// One of `waitAlternatives` follows.
	description:
		'Whether to wait until the result is ready. After a minute, the node suspends the execution, which can then survive a restart of n8n. When turned off, the node outputs the ID immediately.',
} as const satisfies Field;

/** Advice on how to get the result later, keyed by how the service reports the end of a job. */
const waitAlternatives = {
	event:
		'A VideoGen Job Status node later in the workflow can then wait for the result, or a VideoGen Trigger can start another workflow when the result is ready.',
	callback:
		'A VideoGen Job Status node later in the workflow can then wait for the result. The service does not send an event when the result is ready, but it calls the Callback URL in the options.',
	nothing:
		'A VideoGen Job Status node later in the workflow can then wait for the result. The service does not send an event when the result is ready.',
} as const;

export const buildPriceHint = (price?: string) =>
	price === undefined
		? 'You are charged for each run, but the price is not published.'
		: `You are charged for each run: ${price}.`;

export const buildWaitField = (notifiedBy: keyof typeof waitAlternatives, hint: string): Field => ({
	...waitForCompletion,
	description: `${waitForCompletion.description} ${waitAlternatives[notifiedBy]}`,
	hint,
	in: 'local',
});

const downloadChoice = {
	displayName: 'Download',
	name: 'download',
	type: 'multiOptions',
	options: [],
	default: [],
	// Language models accept no files.
	displayOptions: { show: { waitForCompletion: [true] }, hide: aiToolCondition },
	schema: z.array(z.string()),
} as const satisfies Field;

export const downloadSelectionText =
	'Only the files that you choose are downloaded. The item always contains the URLs of all files.';

/**
 * Returns a sentence, without a final period, that says which binary fields contain the files.
 *
 * @param mainField name for the field of the main file, as in the sentence `Video goes into …`
 */
export function describeBinaryFields(files: readonly ResultFileType[], mainField: string): string {
	const [main, ...others] = files;
	if (main === undefined || others.length === 0) return `The file goes into ${mainField}`;
	const names = others.map(({ value }) => value).join(', ');
	return `"${main.name}" goes into ${mainField}, and each other file into a field of its own: ${names}. Without "${main.name}", ${mainField} contains the first of the others`;
}

/** Builds the field Download. `alwaysWaits`: the operation has no Wait for Completion field. */
export function buildDownloadField(files: readonly ResultFileType[], alwaysWaits: boolean): Field {
	const values = files.map(({ value }) => value);
	const fieldsText = alwaysWaits
		? `The main file of a job, such as its video, goes into the "data" field, and each other file into a field of its own, such as ${values
				.filter((value) => value !== 'video')
				.slice(0, 2)
				.join(' or ')}`
		: describeBinaryFields(files, 'the "data" field');
	return toLocalField({
		...downloadChoice,
		...(alwaysWaits && { displayOptions: { hide: aiToolCondition } }),
		options: files.map(({ name, value, description }) => ({ name, value, description })),
		description: `Result files to put into the item's binary fields. ${downloadSelectionText} ${fieldsText}.`,
		schema: z.array(z.enum(values as [string, ...string[]])),
	});
}

const binaryPropertyName = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	description:
		'Name of the binary field for the main file, such as the video. The default is "data". Each of the other files has its own binary field.',
} as const satisfies Field;

export const fileNameField = {
	displayName: 'File Name',
	name: 'fileName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Welcome {{ $json.name }}',
	description:
		'Name of the downloaded file, without its extension. If not set, the file is named after the title or ID of the result.',
	in: 'local',
} as const satisfies Field;

const requestsAtOnce = {
	displayName: 'Max Concurrent Requests',
	name: 'requestsAtOnce',
	collection: 'advanced',
	type: 'number',
	default: 0,
	description:
		'Maximum number of concurrent requests, at most 100. Use 0 to let the node adapt to what the service accepts. Items keep their order.',
	schema: z.number().int().min(0).max(100),
} as const satisfies Field;

const includeInputFields = {
	displayName: 'Include Input Fields',
	name: 'includeInputFields',
	type: 'boolean',
	default: true,
	// A language model already has the input.
	displayOptions: { hide: aiToolCondition },
	description:
		'Whether to add the fields of the input item, such as a name and an email address, to the output item. If this node outputs a field with the same name, the value from the input item moves to "input". Input files are kept, unless this node outputs a file in the same binary field.',
} as const satisfies Field;

const payOncePer = {
	displayName: 'Pay Once Per',
	name: 'payOncePer',
	type: 'options',
	options: [
		{
			name: 'Execution',
			value: 'execution',
			description:
				'For most workflows: Retry On Fail, n8n’s Retry button and lost connections never lead to a second charge, but each new execution creates a new result',
		},
		{
			name: 'Custom Key',
			value: 'ownKey',
			description:
				'For rows with a unique number, such as an order number: you are charged once per number within 24 hours, even if the row changes',
		},
		{
			name: 'Unique Request',
			value: 'request',
			description:
				'For workflows that may have to run again, for example after a crash: you are charged only once for the same content within 24 hours. This choice only works if you select it before the first run. Two rows with the same content share one result.',
		},
	],
	// Differs from the behavior without the option, so that adding the option has an effect.
	default: 'request',
	description:
		'How repeats are recognized, so that you never pay for anything twice. If not set, repeats are recognized only within one execution.',
	schema: z.enum(['execution', 'request', 'ownKey']),
} as const satisfies Field;

const payOncePerRow = {
	...payOncePer,
	options: [
		payOncePer.options[0],
		{
			...payOncePer.options[1],
			description:
				'For rows with a unique number, such as an order number: you are charged only once within 24 hours for rows with the same number and content, even in another workflow. Each row is sent as its own request.',
		},
		{
			...payOncePer.options[2],
			description:
				'For workflows that may have to run again, such as after a crash: you are not charged again within 24 hours for a row with the same content. This choice only works if you select it before the first run. Each row is sent as its own request. Two rows with the same content in one run create two results.',
		},
	],
	description:
		'How repeats are recognized, so that you never pay for a row twice. If not set, repeats are recognized only within one execution. With the other choices, you pay only for new and changed rows if you run a sheet again within 24 hours. With these choices, 250 rows take about 4% longer.',
} as const satisfies Field;

const mostJobs = {
	displayName: 'Max Jobs per Run',
	name: 'mostJobs',
	type: 'number',
	default: 0,
	unset: 0,
	description:
		'Maximum number of jobs per run of this node. Use 0 for no limit. A run that would create more jobs fails before anything is sent. This protects you if a sheet is longer than expected.',
	schema: z.number().int().min(1),
} as const satisfies Field;

const payEachCall = {
	displayName: 'Allow Repeated Calls',
	name: 'payEachCall',
	type: 'boolean',
	default: true,
	// Only AI agents call the node several times in one execution.
	displayOptions: { show: aiToolCondition },
	description:
		'Whether to create a new result, and pay for it, when the AI agent repeats a call with exactly the same values in this execution. When turned off, the repeated call returns the earlier result.',
} as const satisfies Field;

/** Fields that control what a tool returns to the language model, as n8n's guidelines require. */
export const toolOutputFields: INodeProperties[] = [
	{
		displayName: 'Output',
		name: 'toolOutput',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Raw', value: 'raw', description: 'All fields, however long they are' },
			{
				name: 'Selected Fields',
				value: 'selected',
				description: 'All IDs, and the fields that you list',
			},
			{
				name: 'Simplified',
				value: 'simplified',
				description: 'All non-empty fields, with long text and lists shortened',
			},
		],
		default: 'simplified',
		displayOptions: { show: aiToolCondition },
		description:
			"Data that the language model receives. Long outputs push earlier messages out of the model's context.",
	},
	{
		displayName: 'Output Fields',
		name: 'toolOutputFields',
		type: 'string',
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. video_url, title',
		displayOptions: { show: { ...aiToolCondition, toolOutput: ['selected'] } },
		description: 'Names of the fields, separated by commas',
	},
];

const stopBelowBalance = {
	displayName: 'Min Account Balance',
	name: 'stopBelowBalance',
	collection: 'advanced',
	type: 'number',
	typeOptions: { numberPrecision: 2 },
	default: 0,
	description:
		"Minimum account balance, in credits or in the wallet's currency. The node reads the balance first and creates nothing if the balance is lower. A value of 0 sets no minimum.",
	schema: z.number().min(0),
} as const satisfies Field;

const reportCost = {
	displayName: 'Report Cost',
	name: 'reportCost',
	type: 'boolean',
	default: true,
	// Tools have no output pane that shows hints.
	displayOptions: { hide: aiToolCondition },
	description:
		'Whether to read the account balance before and after the run and show the difference above the output. Concurrent runs on the same account also affect the difference.',
} as const satisfies Field;

const stopJob = {
	displayName: 'Stop Jobs When Execution Stops',
	name: 'stopJob',
	collection: 'advanced',
	type: 'boolean',
	default: true,
	description:
		"Whether to also stop this node's jobs in the service if the execution is stopped manually or times out while the node runs. If the execution is stopped while it is suspended, n8n does not notify the node. The service does not document whether you are charged for a stopped job.",
} as const satisfies Field;

/** Modes of Check Only: `check` only validates items, `sample` also outputs a sample result. */
export const checkOnlyModes = ['check', 'sample'] as const;

export type CheckOnlyMode = (typeof checkOnlyModes)[number];

const checkOnly = {
	displayName: 'Check Only',
	name: 'checkOnly',
	type: 'options',
	options: [
		{
			name: 'Check Each Item',
			value: 'check',
			description:
				'For each item, output what would be sent, the price if it is known, and all problems. An item with problems does not stop the others.',
		},
		{
			name: 'Off',
			value: 'off',
			description:
				'Create results and pay as usual; useful if an expression turns this option on or off',
		},
		{
			name: 'Sample Result',
			value: 'sample',
			description:
				'Check each item, then output an example of a finished item, with "simulated": true. Items with problems fail. Use this to build the rest of a workflow.',
		},
	],
	default: 'check',
	// A language model would mistake the sample for a real result.
	displayOptions: { hide: aiToolCondition },
	description:
		'Nothing is created, uploaded or charged. The values of all items are checked, and the IDs in them are looked up in the service.',
	schema: z.enum([...checkOnlyModes, 'off']),
} as const satisfies Field;

/** Field Check Only for operations that are not known to cost money. Offers no sample results. */
const checkOnlyForFree = {
	...checkOnly,
	options: [
		{
			name: 'Check Each Item',
			value: 'check',
			description:
				'For each item, output what would be sent, and list all problems. An item with problems does not stop the others.',
		},
		{
			name: 'Off',
			value: 'off',
			description:
				'Create everything as usual; useful if an expression turns this option on or off',
		},
	],
	description:
		'Nothing is created or uploaded. The values of all items are checked, and the IDs in them are looked up in the service.',
	schema: z.enum(['check', 'off']),
} as const satisfies Field;

const idempotencyKey = {
	displayName: 'Custom Key',
	name: 'idempotencyKey',
	type: 'string',
	default: '',
	placeholder: 'e.g. order-1042',
	description:
		'Your own identifier for this request, such as an order number. For at least 24 hours, the service returns the same result for the same key, even if other values change. Use another key for a corrected request. If not set, the Pay Once Per option applies.',
	// Allowed characters and length: service.md, Idempotency.
	schema: createTextSchema({ max: 255 }).pipe(
		z
			.string()
			.regex(/^[A-Za-z0-9_:.-]+$/, 'may contain only letters, digits and the characters _ : . -'),
	),
} as const satisfies Field;

/** Custom Key field for the rows of a batch. The key sent also depends on the row's content. */
const ownKeyOfRow = {
	...idempotencyKey,
	description:
		'Your own identifier for this row, such as an order number, or one for the whole sheet. For 24 hours, the same key with the same content returns the same result. A row whose content has changed creates a new result. If not set, the Pay Once Per option applies.',
} as const satisfies Field;

const additionalBodyFields = {
	displayName: 'Additional Body Fields',
	name: 'additionalBodyFields',
	collection: 'advanced',
	type: 'json',
	default: '{}',
	description:
		'Request fields that this form does not offer, as a JSON object. They are added to the request and replace fields with the same name.',
	schema: z.record(z.custom<GenericValue>()),
} as const satisfies Field;

const waitTimeout = {
	displayName: 'Wait Timeout (Minutes)',
	name: 'waitTimeout',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 2 },
	default: 1440,
	description:
		"Maximum time to wait for a job; 1440 minutes is one day. After that time, the node fails with an error that contains the job's ID, and the job keeps running in the service. As an AI agent's tool, the node waits 30 minutes unless this option is added, and then returns the ID without failing.",
	schema: z.number().positive().max(43_200),
} as const satisfies Field;

const waitForCapacity = {
	displayName: 'Wait for Capacity (Minutes)',
	name: 'waitForCapacity',
	collection: 'advanced',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 2 },
	default: 60,
	description:
		"How long to wait while the account is running its maximum number of jobs. The timer restarts whenever the service accepts an item from this n8n instance. When the time is up, the remaining items fail, and you are not charged for them. As an AI agent's tool, the node waits 5 minutes unless this option is added.",
	schema: z.number().min(0).max(1440),
} as const satisfies Field;

const pollInterval = {
	displayName: 'Poll Interval (Seconds)',
	name: 'pollInterval',
	collection: 'advanced',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 5,
	description:
		"Time before the job's first status check. If not set, the node uses the shortest time that such jobs take. Later status checks are up to 30 seconds apart. This option applies only while the execution is not suspended.",
	schema: z.number().min(1).max(600),
} as const satisfies Field;

/** Common options, keyed by the property of an operation that adds them to its form. */
const optionsByProperty = {
	dated: [createdAfter, createdBefore],
	sendsBody: [additionalBodyFields],
	idempotent: [payOncePer, idempotencyKey],
	idempotentRows: [payOncePerRow, ownKeyOfRow],
	paid: [checkOnly, mostJobs, payEachCall, reportCost, stopBelowBalance],
	createsForFree: [checkOnlyForFree],
	waits: [pollInterval, waitTimeout],
	startsJob: [waitForCapacity],
	stoppable: [stopJob],
	hasFiles: [binaryPropertyName, fileNameField],
} as const;

/** Marks a field whose value the node uses itself and does not send. */
const toLocalField = (field: Field): Field => ({ ...field, in: 'local' });

/** All common fields. Used only to derive the types of their values. */
type CommonFields = readonly (
	| typeof returnAll
	| typeof limit
	| typeof simple
	| typeof waitForCompletion
	| typeof downloadChoice
	| typeof includeInputFields
	| typeof requestsAtOnce
	| (typeof optionsByProperty)[keyof typeof optionsByProperty][number]
)[];

export type OperationFormValues<
	F extends readonly Field[],
	O extends readonly Field[] = readonly [],
> = FieldValues<F, O> & FieldValues<readonly [], CommonFields>;

/** Returns those of the fields Return All, Limit and Simplify that an operation has. */
export const getCommonFields = (operation: { pages: boolean; simple: boolean }): Field[] =>
	[...(operation.pages ? [returnAll, limit] : []), ...(operation.simple ? [simple] : [])].map(
		toLocalField,
	);

export const getCommonOptions = (
	properties: Record<keyof typeof optionsByProperty, boolean>,
): Field[] =>
	[
		includeInputFields,
		requestsAtOnce,
		...Object.entries(optionsByProperty).flatMap(([property, options]): readonly Field[] =>
			properties[property as keyof typeof optionsByProperty] ? options : [],
		),
	].map(toLocalField);

const firstNames = [
	'title',
	'caption',
	'captions',
	'aspect_ratio',
	'orientation',
	'resolution',
	'includeInputFields',
	'checkOnly',
	'fileName',
	'folder_id',
];

const lastNames = [
	'stopBelowBalance',
	'mostJobs',
	'stopJob',
	'payOncePer',
	'idempotencyKey',
	'callback_url',
	'callback_id',
	'waitTimeout',
	'waitForCapacity',
	'pollInterval',
	'requestsAtOnce',
	'additionalBodyFields',
];

/** Returns an option's rank: negative for `firstNames`, positive for `lastNames`, otherwise 0. */
function getRank(name: string): number {
	const first = firstNames.indexOf(name);
	return first >= 0 ? first - firstNames.length : lastNames.indexOf(name) + 1;
}

export const compareOptions = (
	a: Pick<INodeProperties, 'name' | 'displayName'>,
	b: Pick<INodeProperties, 'name' | 'displayName'>,
) => getRank(a.name) - getRank(b.name) || a.displayName.localeCompare(b.displayName);
