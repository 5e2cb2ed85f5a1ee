/** Callbacks to an execution that waits for no job. */
import { handleCallback } from '../../../nodes/VideoGenWait/resumeOnCallback';

const noInput = () => {
	throw new Error('Node has no input');
};

test.each<[string, () => unknown]>([
	['it has no input', noInput],
	['its input is no list', () => null],
	['its items have no job', () => [{ json: { name: 'Ada' } }]],
])('an execution is not resumed if %s', async (_, evaluateExpression) => {
	const n8n = {
		evaluateExpression,
		getExecutionId: () => '1',
		getNode: () => ({ id: 'node', parameters: {} }),
		getWorkflow: () => ({ id: 'workflow' }),
	};
	expect(await handleCallback(n8n as never)).toStrictEqual({
		webhookResponse: { message: 'This execution is not waiting for any jobs.' },
	});
});
