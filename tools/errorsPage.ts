/** Renders docs/errors.md, which explains each error code and how to fix it. */
import {
	type ErrorExplanation,
	explainError,
	explanationsByCode,
} from '../nodes/core/errors/advice';
import { generatedNote } from './pages';
import { readErrorCodes } from './serviceCodes';

/** Additional help for error codes, beyond the advice in the error itself. */
const furtherHelp: Readonly<Record<string, string>> = {
	not_found:
		"This is the most common error. Typical causes: an ID of the wrong kind, such as a `session_id` where a `video_id` is needed; an ID from another account or from the simulator, as in an imported example; or a deleted video. Choose **From List** in the field to see your account's IDs. If even **Get Many** fails, the Base URL in the credential is wrong.",
	invalid_parameter:
		'The error names the field in parentheses. If the node does not have that field, check **Additional Body Fields**.',
	insufficient_api_key_scope:
		"Set the key's scopes in the service's web dashboard, then retry the execution. You do not need to change the credential.",
	insufficient_credit:
		'Nothing was charged for this item. With the **Min Account Balance** option, a run creates nothing if the balance is too low.',
	rate_limit_exceeded:
		'The node has already paused and retried the request as often as the service allows. Requests from other programs that use the same account also count toward the limit.',
	conflict:
		'If you are creating a webhook endpoint, its URL is already registered. If you are editing a glossary, the name or term already exists.',
	not_json:
		'Typical causes: the Base URL points to the website, or a proxy or a login page responds instead of the service.',
	internal_error: 'The node has already retried the request if that was safe.',
	service_unavailable: 'The node has already retried the request several times.',
};

/** Problems that `graph_invalid` lists. */
const graphProblems: Readonly<Record<string, ErrorExplanation>> = {
	unknown_node_type: {
		message: 'The graph contains a node type that does not exist',
		advice: 'Get the types with **Get Node Types**, and correct the name.',
	},
	node_type_unavailable: {
		message: 'The account cannot use this node type',
		advice: 'Choose another type, or upgrade the plan.',
	},
	invalid_config: {
		message: 'The settings of a node in the graph are not valid',
		advice: 'Correct the setting at the path given in the error.',
	},
	dangling_dependency: {
		message: 'A node in the graph refers to a node that does not exist',
		advice: 'Correct the reference, or add the node.',
	},
	cycle_detected: {
		message: 'The nodes of the graph form a cycle',
		advice: 'Remove one of the connections in the cycle.',
	},
};

/** Error codes that the nodes set themselves, without a rejection by the service. */
export const ownCodes: Readonly<Record<string, ErrorExplanation>> = {
	address_expired: {
		message: 'The URL of a sound has expired',
		advice: 'Search again, and download the sound in the same execution.',
	},
	balance_too_low: {
		message: 'The account balance is below the minimum set in "Min Account Balance"',
		advice: 'Add credit, or lower the minimum. Nothing was created.',
	},
	balance_unknown: {
		message: 'The service does not return the balance of this account',
		advice: 'Remove the **Min Account Balance** option. Nothing was created.',
	},
	credential_unusable: {
		message: "A node's credential was deleted or became unusable while the execution was suspended",
		advice:
			'Select a credential in the node, save the workflow, and use **Retry with currently saved workflow**. The jobs keep running in the service, so do not create them again.',
	},
	copied_row: {
		message: 'An error item has come back to the node more than once',
		advice:
			'The node continues with one copy, and creates nothing for the others. Connect the error output to the input only once.',
	},
	empty_file: { message: 'A downloaded file is empty', advice: 'Try again later.' },
	file_too_large: {
		message: 'A file is larger than the service allows',
		advice: 'Use a smaller file.',
	},
	incomplete_file: {
		message: 'A download ended before the file was complete',
		advice: 'Try again later.',
	},
	invalid_value: {
		message: 'A field has a value that the service would reject',
		advice: 'Correct the field that the error names. Nothing was sent.',
	},
	no_id: {
		message: 'The service accepted a request but returned no ID',
		advice:
			"Something may have been created. Check the service's list before you run the workflow again. If the request has a key, a retry returns the same result.",
	},
	not_a_file: {
		message: 'The URL points to a web page or a JSON message, not a file',
		advice: 'The URL may have expired or may require a login. Check the URL, or get a new one.',
	},
	not_started: {
		message: 'Not started: the account was running its maximum number of jobs',
		advice:
			'Run the item again once other jobs have ended, or raise **Wait for Capacity**. Nothing was charged.',
	},
	other_id: {
		message: 'The service returned the status of another job',
		advice:
			'A proxy between n8n and the service may have returned the response to a different request. The job still exists: use its ID to get the job later.',
	},
	other_operation: {
		message: 'A row was sent with another operation before the workflow was changed',
		advice:
			'Select the earlier operation again, or start a new execution. If you use a different operation, you are charged for the row again.',
	},
	refused_in_tool: {
		message: 'AI agents are not allowed to use this operation',
		advice: 'Use the node outside the agent, for example after a person has approved the action.',
	},
	shared_job: {
		message: 'The service returned the same job for several items',
		advice:
			'Each request may have created, and charged for, a separate job. Look for these jobs among the newest jobs in the service before you run these items again. If there is a proxy between n8n and the service, check whether it returns cached responses.',
	},
	stopped: {
		message: 'The execution was stopped',
		advice: 'Jobs that were already created keep running in the service. The error names them.',
	},
	storage_full: {
		message: "n8n's disk is full",
		advice: 'Free up disk space, then retry the execution.',
	},
	stream_over: {
		message: 'A live stream ended before it could be watched',
		advice: 'Start a new stream.',
	},
	unknown_row: {
		message: 'The service did not say which video belongs to this row',
		advice:
			'Get the batch named in the error, and check whether it contains the video before you run the row again.',
	},
	wait_timeout: {
		message: 'The job did not finish within the time set in "Wait Timeout"',
		advice:
			'The job is still running in the service, so do not create it again. Wait for the job with **VideoGen Job Status**, using its ID.',
	},
};

/** Chapters for the service's codes: a title that says what happened, and the codes' HTTP statuses. */
const symptoms: ReadonlyArray<[title: string, ...statuses: Array<number | undefined>]> = [
	['Something was not found', 404, 410],
	['A value is rejected', 400, 413, 422],
	['The credential is rejected, or a permission is missing', 401, 403],
	['The account lacks credit, or its plan does not include this', 402],
	['Too many requests, or a quota is used up', 429],
	['Something is not ready, or has changed', 409],
	['The service is having problems', 500, 502, 503, 504],
	['Other codes from the service', undefined],
];

const statuses = [400, 401, 402, 403, 404, 409, 410, 413, 422, 429, 500, 503];

function renderCode(title: string, { message, advice }: ErrorExplanation, notes: string[] = []) {
	return [`### ${title}`, `**${message}.** ${advice}`, ...notes.filter(Boolean)].join('\n\n');
}

export function renderErrorsPage(): string {
	const statusByCode = new Map(readErrorCodes().map(({ code, status }) => [code, status]));
	const serviceCodes = [...new Set([...Object.keys(explanationsByCode), ...statusByCode.keys()])]
		.filter((code) => !(code in graphProblems))
		.sort((a, b) => a.localeCompare(b));
	return [
		'# Error codes',
		"A node's error message says what happened, and then quotes the service's message. The error details say what to do and name the error code. For a request that creates something, the details also say whether something may have been created and charged for. With **On Error → Continue**, the item contains the same information in `details`. The errors on this page are grouped by symptom. To find your error code, search this page. For problems without a code, see [Troubleshooting](troubleshooting.md).",
		...symptoms.flatMap(([title, ...matching]) => [
			`## ${title}`,
			...serviceCodes
				.filter((code) => matching.includes(statusByCode.get(code)))
				.map((code) => {
					const status = statusByCode.get(code);
					return renderCode(`\`${code}\``, explainError({ code, status }), [
						furtherHelp[code] ?? '',
						status === undefined ? '' : `HTTP status: ${status}`,
					]);
				}),
		]),
		'## Problems in a workflow graph',
		'The `graph_invalid` error lists all problems at once, each with a code, node, port and path.',
		...Object.entries(graphProblems).map(([code, problem]) => renderCode(`\`${code}\``, problem)),
		'## Codes from the nodes',
		'These codes come from the nodes, not from the service.',
		...Object.entries(ownCodes).map(([code, problem]) => renderCode(`\`${code}\``, problem)),
		'## Errors without a code',
		'If the service sends no error code, or one that is not on this page, the error text depends on the HTTP status:',
		statuses
			.map((status) => {
				const { message, advice } = explainError({ status });
				return `- **${status}: ${message}.** ${advice}`;
			})
			.join('\n'),
		generatedNote,
		'',
	].join('\n\n');
}
