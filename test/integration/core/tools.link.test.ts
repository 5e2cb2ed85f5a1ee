/** A tool of an AI agent with default settings: how many calls bring the link of a video. */
import type { IDataObject } from 'n8n-workflow';
import { callTool } from '../support/agents';
import { createCalls } from '../support/calls';
import { useService } from '../support/service';

const minutes = 60;
const service = useService({ jobSeconds: 20 * minutes });
const { jobs } = createCalls(service);
const prompt = "={{ $fromAI('prompt', 'what the video shows', 'string') }}";
const call = { prompt: 'A short welcome' };

/** Makes the call as often as a model does that repeats it until it has the link. */
async function callUntilLink(options: IDataObject, count: number) {
	const parameters = { operation: 'create', prompt, mode: 'generate', options };
	const rounds = Array.from({ length: count }, () => [call]);
	const run = await callTool(service, 'newAgent', { type: 'VideoGenAgent', parameters }, rounds);
	const calls = run.data.resultData.runData.Tool ?? [];
	return calls.map(({ data }) => data?.ai_tool?.[0]?.[0]?.json ?? {});
}

test('one call brings the link of a video that takes 20 minutes', async () => {
	const [result] = await callUntilLink({}, 1);
	expect(result?.video_url).toMatch(/^http/);
});

test('after a timeout, the same call waits on, and nothing is created again', async () => {
	const results = await callUntilLink({ waitTimeout: 15 }, 2);
	expect(results.map(({ finished }) => finished)).toEqual([false, undefined]);
	expect(results[0]?.note).toContain('call this tool again with exactly the same');
	expect(results[1]?.video_url).toMatch(/^http/);
	expect(jobs('session')).toHaveLength(1);
});
