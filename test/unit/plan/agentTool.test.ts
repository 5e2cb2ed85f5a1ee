/** What an AI agent may do with a node that it calls as a tool. */
import type { INode } from 'n8n-workflow';
import type { Operation, Resource } from '../../../nodes/core/operation';
import {
	findToolRejection,
	runsAsAgentTool,
	shouldRepeatIdenticalCalls,
} from '../../../nodes/core/operationTraits';

const node = { name: 'Node', type: 'n', parameters: {} } as unknown as INode;

const createOperation = (value: string, more: Partial<Operation> = {}): Operation => ({
	value,
	name: 'A',
	action: 'Delete a thing',
	description: '',
	request: 'POST /a',
	...more,
});

test.each([
	['videoTool', true],
	['video', false],
	['videoToolbox', false],
])('a node of the type "%s" is a tool: %s', (type, isTool) => {
	expect(runsAsAgentTool({ getNode: () => ({ ...node, type }) })).toBe(isTool);
});

test('an agent may not delete anything', () => {
	expect(findToolRejection(node, createOperation('a'))).toBeUndefined();
	const rejection = findToolRejection(node, createOperation('a', { destructive: true }));
	expect(rejection).toMatchObject({
		message: expect.stringMatching(
			/^"Delete a thing" cannot be done by an AI agent: nothing was changed\./,
		),
		description: expect.stringContaining('so that a person decides'),
	});
	expect(rejection?.context.details).toStrictEqual({ code: 'refused_in_tool' });
});

const resources: Resource[] = [
	{
		name: 'Thing',
		value: 'thing',
		operations: [createOperation('paid', { paid: true }), createOperation('free')],
	},
];

test.each<[string, string, unknown, boolean]>([
	['is paid', 'paid', false, false],
	['is paid, if each call is paid', 'paid', true, true],
	['is paid, if an expression says so', 'paid', 'true', true],
	['is paid, if an expression returns another text', 'paid', 'yes', false],
	['is free', 'free', false, true],
	['is unknown', 'other', false, true],
])('the repeated call of an operation that %s', (_, operation, payEachCall, isRepeated) => {
	const parameters: Record<string, unknown> = {
		'options.payEachCall': payEachCall,
		resource: 'thing',
		operation,
	};
	const getNodeParameter = jest.fn((name: string) => parameters[name]);
	expect(shouldRepeatIdenticalCalls({ getNodeParameter } as never, resources)).toBe(isRepeated);
	expect(getNodeParameter.mock.calls[0]).toStrictEqual(['options.payEachCall', 0, false]);
});
