/** Fields that operations inherit from what they are: lists, creates, jobs. */
import type { GenericValue } from 'n8n-workflow';
import { z } from 'zod';
import type { ResultFile } from '../jobs/types';
import { toUnixSeconds } from '../time';
import type { Field, OwnValues } from './field';

const returnAll = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
	in: 'local',
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
	in: 'local',
} as const satisfies Field;

const simple = {
	displayName: 'Simplify',
	name: 'simple',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
	in: 'local',
} as const satisfies Field;

/** A time of a form, or of an expression: of the workflow's zone, where it names none. */
const dateTimeSchema = z
	.unknown()
	.refine((value) => toUnixSeconds(value) !== undefined, {
		message: 'must be a date such as 2026-01-31 or 2026-01-31T09:00:00',
	})
	.transform((value) => value as GenericValue);

/** A picker knows dates only; what is cleaned up each week moves along. */
const relativeTimeHint =
	'For a time that moves along, choose Expression: {{ $now.minus({ days: 7 }) }} is a week ago';

const createdAfter = {
	displayName: 'Created After',
	name: 'createdAfter',
	type: 'dateTime',
	default: '',
	description:
		'Only what was created at this time or later. Where the list comes newest first, no more of it is read than needed.',
	hint: relativeTimeHint,
	schema: dateTimeSchema,
	in: 'local',
} as const satisfies Field;

const createdBefore = {
	displayName: 'Created Before',
	name: 'createdBefore',
	type: 'dateTime',
	default: '',
	description: 'Only what was created at this time or earlier',
	hint: relativeTimeHint,
	schema: dateTimeSchema,
	in: 'local',
} as const satisfies Field;

const waitForCompletion = {
	displayName: 'Wait for Completion',
	name: 'waitForCompletion',
	type: 'boolean',
	default: true,
	inTools: {
		default: false,
		description:
			'Whether a call of the AI agent waits until the result is finished: 5 minutes at most, or the Wait Timeout of the options. When the time is over, the agent gets the ID and is told to look later. Turned off, it gets the ID at once; connect a second tool then that reads the result (Get).',
	},
	// Goes on with one of the sentences below.
	description:
		'Whether to wait here until the result is finished. Suits jobs of minutes. Turn it off to go on at once with the ID: a VideoGen Wait for Job then waits',
	in: 'local',
} as const satisfies Field;

/** How its description goes on: by what tells the end of the job. */
const waitAlternatives = {
	event:
		'for many or long jobs without holding memory, or a VideoGen Trigger can start another workflow when the result is ready.',
	callback:
		'without holding memory. No event of the service tells that it is ready, but it calls the Callback URL of the options.',
	nothing: 'without holding memory; no event of the service tells that it is ready.',
};

/** What the form says of the job that an operation starts. */
export interface JobTexts {
	toldBy: keyof typeof waitAlternatives;
	/** How long one takes: a sentence, or nothing. */
	takes: string;
	paid: boolean;
	price?: string;
}

/** Wait for Completion with the line under it. */
function buildWaitField({ toldBy, takes, paid, price }: JobTexts): Field {
	const charge = price === undefined ? '' : `: ${price}`;
	const again = paid
		? `Each run of this node makes another one, which is charged again${charge}.`
		: '';
	return {
		...waitForCompletion,
		description: `${waitForCompletion.description} ${waitAlternatives[toldBy]}`,
		hint: [takes, again].filter(Boolean).join(' '),
	};
}

const downloadChoice = {
	displayName: 'Download',
	name: 'download',
	type: 'multiOptions',
	options: [],
	default: [],
	// A model takes no files.
	displayOptions: { show: { waitForCompletion: [true] }, hide: { '@tool': [true] } },
	schema: z.array(z.string()),
	in: 'local',
} as const satisfies Field;

/** The choice of files. */
function buildDownloadField(files: readonly ResultFile[], byDefault: boolean): Field {
	const values = files.map(({ value }) => value);
	const [, ...others] = values;
	const more = `, each other into a field of its own name: ${others.join(', ')}`;
	return {
		...downloadChoice,
		options: files.map(({ name, value, description }) => ({ name, value, description })),
		default: byDefault ? values.slice(0, 1) : [],
		description: `Files to put into binary fields of the item when the result is finished. The first goes into the field "data"${others.length === 0 ? '' : more}.`,
		schema: z.array(z.enum(values as [string, ...string[]])),
	};
}

const binaryPropertyName = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	description: 'The name of the binary field for the first file of Download',
	in: 'local',
} as const satisfies Field;

const requestsAtOnce = {
	displayName: 'Requests at Once',
	name: 'requestsAtOnce',
	type: 'number',
	default: 0,
	description:
		'How many requests may be on their way at the same time, at most 100. With 0 the node finds out what the service takes. The order of the items is kept.',
	schema: z.number().int().min(0).max(100),
	in: 'local',
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
				'Right for most: Retry On Fail and broken connections pay once, every new execution makes anew',
		},
		{
			name: 'Own Key',
			value: 'ownKey',
			description:
				'Right where each row has a number of its own, such as an order: it is paid once in 24 hours, even when its text has changed',
		},
		{
			name: 'Same Request',
			value: 'request',
			description:
				'Right for runs that may be repeated, by n8n’s Retry button or after a crash: the same content is paid once in 24 hours. Two rows with the same content share one result.',
		},
	],
	default: 'execution',
	description: 'What is made, and charged, only once',
	schema: z.enum(['execution', 'request', 'ownKey']),
	in: 'local',
} as const satisfies Field;

const mostJobs = {
	displayName: 'Most Jobs per Run',
	name: 'mostJobs',
	type: 'number',
	default: 0,
	unset: 0,
	description:
		'A run of this node that would make more than this is refused before anything is sent; 0 sets no limit. Protects against a sheet that is longer than expected.',
	schema: z.number().int().min(1),
	in: 'local',
} as const satisfies Field;

const payEachCall = {
	displayName: 'Pay for Repeated Calls',
	name: 'payEachCall',
	type: 'boolean',
	default: false,
	// Nobody else calls.
	displayOptions: { show: { '@tool': [true] } },
	description:
		'Whether a call of the AI agent that asks for exactly the same as an earlier call in this execution makes another one, which is paid too. Turned off, it gets the result of the earlier call.',
	in: 'local',
} as const satisfies Field;

const stopBelowBalance = {
	displayName: 'Stop Below Balance',
	name: 'stopBelowBalance',
	type: 'number',
	typeOptions: { numberPrecision: 2 },
	default: 0,
	description:
		'The account is read first, and nothing is made when it has less left than this: in credits, or in the currency of its wallet',
	schema: z.number().min(0),
	in: 'local',
} as const satisfies Field;

const idempotencyKey = {
	displayName: 'Own Key',
	name: 'idempotencyKey',
	type: 'string',
	default: '',
	placeholder: 'e.g. order-1042',
	description:
		'A name of your own for this request, such as an order number. For 24 hours the service answers the same key with the same result, whatever else the request says: use another key for a corrected request.',
	// Alphabet and length: docs/service.md, Idempotency.
	schema: z
		.string()
		.min(1)
		.max(255)
		.regex(/^[A-Za-z0-9_:.-]+$/, 'may hold only letters, digits and the signs _ : . -'),
	in: 'local',
} as const satisfies Field;

const additionalBodyFields = {
	displayName: 'Additional Body Fields',
	name: 'additionalBodyFields',
	type: 'json',
	default: '{}',
	description:
		'Fields of the request that this form does not offer, as a JSON object. They are added to the request, and replace a field of the same name.',
	schema: z.record(z.custom<GenericValue>()),
	in: 'local',
} as const satisfies Field;

const waitTimeout = {
	displayName: 'Wait Timeout (Minutes)',
	name: 'waitTimeout',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 2 },
	default: 30,
	description:
		'How long to wait for completion. When the time is over the node fails with the ID of the job, which goes on at the service. A tool of an AI agent waits 5 minutes unless this option is added, and then gives the ID without failing.',
	schema: z.number().positive().max(1440),
	in: 'local',
} as const satisfies Field;

const pollInterval = {
	displayName: 'Poll Interval (Seconds)',
	name: 'pollInterval',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 5,
	description:
		'How long to wait before the first look at the job; without this option, as long as such jobs take at least. Later looks are spaced further apart, up to 30 seconds.',
	schema: z.number().min(1).max(600),
	in: 'local',
} as const satisfies Field;

/** n8n shows it only where it does something: an execution that waits here takes no calls. */
const callBackHere = {
	displayName: 'Call Back This Execution',
	name: 'callBackHere',
	type: 'boolean',
	default: false,
	displayOptions: { show: { '/waitForCompletion': [false] }, hide: { '@tool': [true] } },
	description:
		'Whether the service wakes this very execution when the job ends, for a VideoGen Wait for Job further on: it goes on at once instead of at its next look. n8n must be reachable under a public address.',
	in: 'local',
} as const satisfies Field;

/** Options that operations inherit, by why an operation has them. */
const optionsByReason = {
	dated: [createdAfter, createdBefore],
	sendsBody: [additionalBodyFields],
	idempotent: [payOncePer, idempotencyKey],
	paid: [mostJobs, payEachCall, stopBelowBalance],
	waits: [pollInterval, waitTimeout],
	hasFiles: [binaryPropertyName],
	/** The service calls an address when its job ends. */
	callsBack: [callBackHere],
} as const;

/** All of them, for the types of their values. */
type CommonFields = readonly (
	| typeof returnAll
	| typeof limit
	| typeof simple
	| typeof waitForCompletion
	| typeof downloadChoice
	| typeof requestsAtOnce
	| (typeof optionsByReason)[keyof typeof optionsByReason][number]
)[];

/** The checked values of an operation: of its own fields and options, and of what it may inherit. */
export type Values<
	F extends readonly Field[],
	O extends readonly Field[] = readonly [],
> = OwnValues<F, O> & OwnValues<readonly [], CommonFields>;

/** Fields of the form that an operation inherits. */
export const getCommonFields = (operation: {
	pages: boolean;
	simple: boolean;
	/** The job that it starts, if it starts one. */
	job?: JobTexts;
	files?: readonly ResultFile[];
	downloadsByDefault?: boolean;
}): Field[] => [
	...(operation.pages ? [returnAll, limit] : []),
	...(operation.simple ? [simple] : []),
	...(operation.job === undefined ? [] : [buildWaitField(operation.job)]),
	...(operation.files
		? [buildDownloadField(operation.files, operation.downloadsByDefault === true)]
		: []),
];

/** Options that an operation inherits. */
export const getCommonOptions = (holds: Record<keyof typeof optionsByReason, boolean>): Field[] => [
	requestsAtOnce,
	...Object.entries(optionsByReason).flatMap(([reason, options]): readonly Field[] =>
		holds[reason as keyof typeof optionsByReason] ? options : [],
	),
];
