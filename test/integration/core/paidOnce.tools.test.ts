/** Nodes as tools of an AI agent: each call of the model is paid for, and paid for once. */
import type { IDataObject } from 'n8n-workflow';
import { callTool } from '../support/agents';
import { avatar, session } from '../support/calls';
import { useService } from '../support/service';

const service = useService();

const jobs = (kind: string) => service.control.jobs(kind) as Array<IDataObject & { id: string }>;

const asked = "={{ $fromAI('words', 'what to say', 'string') }}";
const kinds = [
	['video', '/v3/videos', 'VideoGenVideo', avatar({ script: asked })],
	['session', '/v3/video-agents', 'VideoGenAgent', session({ prompt: asked })],
] as const;
const agents = ['newAgent', 'oldAgent'] as const;
const cases = agents.flatMap((agent) => kinds.map((kind) => [agent, ...kind] as const));

const hello = { words: 'Hello there, this is a long enough text.' };
const other = { words: 'Good bye then, this is a long enough text.' };

describe.each(cases)('%s calls a tool that makes a %s', (agent, kind, path, type, parameters) => {
	const call = async (rounds: IDataObject[][], retryOnFail = false) =>
		await callTool(service, agent, { type, parameters, retryOnFail }, rounds);

	test('different calls make one each, one after the other and at the same time', async () => {
		await call([[hello], [other]]);
		expect(jobs(kind)).toHaveLength(2);
		await call([[hello, other]]);
		expect(jobs(kind)).toHaveLength(4);
	});

	test('identical calls of one execution make one, one after the other and at the same time', async () => {
		await call([[hello], [hello]]);
		expect(jobs(kind)).toHaveLength(1);
		await call([[hello, hello, hello]]);
		expect(jobs(kind)).toHaveLength(2);
	});

	test('they make one each where the user wants that', async () => {
		const each = { ...parameters, options: { payEachCall: true } };
		await callTool(service, agent, { type, parameters: each }, [[hello], [hello, hello]]);
		expect(jobs(kind)).toHaveLength(3);
	});

	test('a call that is tried again makes one, whoever tries', async () => {
		service.control.fail({ method: 'POST', path, status: 402, times: 1 });
		await call([[hello], [hello]], true);
		expect(jobs(kind)).toHaveLength(1);

		// What it made is known to the next try, though it failed then.
		service.control.reset();
		service.control.fail({ method: 'POST', path, cut: 'after', times: kind === 'video' ? 10 : 1 });
		await call([[hello]], true);
		expect(jobs(kind)).toHaveLength(1);
	});
});
