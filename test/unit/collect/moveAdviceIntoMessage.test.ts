/** The message of an error for a language model: what happened, and what the model can do. */
import type { INode } from 'n8n-workflow';
import { moveAdviceIntoMessage } from '../../../nodes/core/collect/toolOutput';
import {
	addErrorText,
	createOperationError,
	createServiceError,
} from '../../../nodes/core/errors/nodeErrors';

const node = { name: 'Node', type: 'test', parameters: {} } as unknown as INode;
const askForSettings =
	"Do not call this tool again. Tell the user that a person must check this node's credential.";

const readLines = (message: string, advice: string | string[] = [], complaints?: string[]) => {
	const details = complaints === undefined ? {} : { complaints };
	const error = createOperationError(node, message, advice, details);
	expect(moveAdviceIntoMessage(error)).toBe(error);
	return error.message.split('\n');
};

test.each([
	['Rejected', 'Rejected.'],
	['Rejected.', 'Rejected.'],
	['Rejected!', 'Rejected!'],
	['Rejected?', 'Rejected?'],
])('the message "%s" is a sentence', (message, expected) => {
	expect(readLines(message)).toStrictEqual([expected]);
});

test.each([
	['Use another text. Then run again.', 'Use another text. Then run again.'],
	['Use another text. Check the credential. Wait!', 'Use another text. Wait!'],
	['Open the credential. Then run again.', askForSettings],
	['Is the Base URL right? Look.', askForSettings],
	['Add the API key.', askForSettings],
	['Use a key the scope fits.', askForSettings],
	['Raise it in the options. Or wait.', 'Call again later.'],
	['Set On Error.', 'Call again later.'],
])('of the advice "%s", a model gets "%s"', (advice, expected) => {
	expect(readLines('No', advice)).toStrictEqual(['No.', expected]);
});

test('the problems come last and once, in place of the advice that repeats them', () => {
	const lines = readLines('No', ['"A" is required', 'Nothing was sent.'], ['"A" is required', 'B']);
	expect(lines).toStrictEqual([
		...['No.', 'Nothing was sent.', 'Call again with correct values: "A" is required; B'],
	]);
	expect(readLines('No', 'Wait.', [])).toStrictEqual(['No.', 'Wait.']);
});

test('the lines of the run surround the advice, without its details', () => {
	const rejected = createServiceError(node, { code: 'voice_expired', status: 400 });
	addErrorText(rejected, { suffix: ' [row 2]', before: ['Before'], after: ['', 'After'] });
	expect(moveAdviceIntoMessage(rejected).message.split('\n')).toStrictEqual([
		...['This voice has expired [row 2].', 'Before', 'Choose another voice.', 'After'],
	]);
});

test.each([
	['the last line', ['a'.repeat(50), 'b'.repeat(701)], [50, 700]],
	['the lines before it', ['a'.repeat(995), 'b'.repeat(10)], [985, 10]],
	['no line that is short enough', ['a'.repeat(985), 'b'.repeat(10)], [985, 10]],
])('a long message is cut: %s', (_, advice, lengths) => {
	const [first, ...lines] = readLines('No', advice);
	expect(first).toBe('No.');
	expect(lines.map(({ length }) => length)).toStrictEqual(lengths);
	expect(['No.', ...lines].join('\n').length).toBeLessThanOrEqual(1_000);
});

test('a message alone is cut, too', () => {
	expect(readLines('x'.repeat(900))).toStrictEqual(['x'.repeat(700)]);
});
