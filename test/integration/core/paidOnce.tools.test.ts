/** Nodes as tools of an AI agent: each call of the model is paid for, and paid for once. */
import type { IDataObject } from 'n8n-workflow';
import { callTool, failNextAgent, retryCalls } from '../support/agents';
import { avatar, createCalls, session } from '../support/calls';
import { useService } from '../support/service';

const service = useService();

const { jobs, failPosts } = createCalls(service);

const fromModel = "={{ $fromAI('words', 'what to say', 'string') }}";
const kinds = [
	['video', '/v3/videos', 'VideoGenVideo', avatar({ script: fromModel })],
	['session', '/v3/video-agents', 'VideoGenAgent', session({ prompt: fromModel })],
] as const;
const agents = ['newAgent', 'oldAgent'] as const;
const cases = agents.flatMap((agent) => kinds.map((kind) => [agent, ...kind] as const));

const hello = { words: 'Hello there, this is a long enough text.' };
const other = { words: 'Good bye then, this is a long enough text.' };

describe.each(cases)('%s calls a tool that creates a %s', (agent, kind, path, type, parameters) => {
	const call = async (rounds: IDataObject[][], retryOnFail = false) =>
		await callTool(service, agent, { type, parameters, retryOnFail }, rounds);

	test('different calls create one each, in turn and at the same time', async () => {
		await call([[hello], [other]]);
		expect(jobs(kind)).toHaveLength(2);
		await call([[hello, other]]);
		expect(jobs(kind)).toHaveLength(4);
	});

	test('identical calls of one execution create one, in turn and at the same time', async () => {
		await call([[hello], [hello]]);
		expect(jobs(kind)).toHaveLength(1);
		await call([[hello, hello, hello]]);
		expect(jobs(kind)).toHaveLength(2);
	});

	test('identical calls create one each with Allow Repeated Calls', async () => {
		const each = { ...parameters, options: { payEachCall: true } };
		await callTool(service, agent, { type, parameters: each }, [[hello], [hello, hello]]);
		expect(jobs(kind)).toHaveLength(3);
	});

	test('a call that n8n or the agent repeats creates one', async () => {
		failPosts(path, { status: 402, times: 1 });
		await call([[hello], [hello]], true);
		expect(jobs(kind)).toHaveLength(1);

		// A job of an attempt that failed is known to the next attempt.
		service.control.reset();
		failPosts(path, { cut: 'after', times: kind === 'video' ? 10 : 1 });
		await call([[hello]], true);
		expect(jobs(kind)).toHaveLength(1);
	});

	test.each([false, true])(
		'Retry after the agent failed creates nothing again (%j)',
		async (each) => {
			const tool = { type, parameters: { ...parameters, options: { payEachCall: each } } };
			const rounds = [[hello], [hello, other]];
			failNextAgent();
			const failed = await callTool(service, agent, tool, rounds);
			const count = each ? 3 : 2;
			expect([failed.data.resultData.error?.message, jobs(kind).length]).toEqual([
				'The model is down',
				count,
			]);
			const run = await retryCalls(service, failed, agent, tool, rounds);
			expect(run.data.resultData.error).toBeUndefined();
			expect(jobs(kind)).toHaveLength(count);
			const [task] = run.data.resultData.runData.Agent ?? [];
			const responses = JSON.stringify(task?.data?.main?.[0]?.[0]?.json.responses);
			for (const { id } of jobs(kind)) expect(responses).toContain(id);
		},
	);
});
