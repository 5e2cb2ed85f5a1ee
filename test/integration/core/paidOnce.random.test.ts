/** Random failures in several attempts: no row is paid for twice or gets the video of another row. */
import type { IDataObject, INode, IRun } from 'n8n-workflow';
import { createRandom } from '../../../simulator/faults';
import { avatar, batch, createCalls, items, retryOnFail, waiting } from '../support/calls';
import { connectTo, createNode, retryRun, runNodes, signedIn } from '../support/engine';
import { useService } from '../support/service';

const service = useService();
const { jobs, failPosts, passPosts, failRenders } = createCalls(service);

const kinds = {
	single: { path: '/v3/videos', parametersOf: avatar },
	batch: { path: '/v3/videos/batches', parametersOf: batch },
};
const toInput = [{ node: 'Node', type: 'main' as const, index: 0 }];
const ways: Record<string, { node: Partial<INode>; isLoop?: boolean }> = {
	'an error output that leads back': { node: { onError: 'continueErrorOutput' }, isLoop: true },
	'the Retry button': { node: {} },
	'Retry On Fail': { node: retryOnFail },
};
/** More than all attempts of a request. */
const allAttempts = 12;
const mostRetries = 6;

const cases = Object.keys(kinds).flatMap((kind) =>
	Object.keys(ways).flatMap((way) =>
		Array.from({ length: 12 }, (_, seed) => [way, kind as keyof typeof kinds, seed] as const),
	),
);

test.each(cases)('%s, %s, seed %d', async (way, kind, seed) => {
	const random = createRandom(seed * 31 + way.length * 7 + kind.length);
	const pick = (max: number) => Math.floor(random() * max);
	const { path, parametersOf } = kinds[kind];
	const { node, isLoop = false } = ways[way]!;
	const count = 3 + pick(8);
	const failAtRandom = () => {
		if (random() < 0.6) failRenders(1 + pick(3), 'internal_error');
		const passed = kind === 'single' ? pick(count) : 0;
		if (passed > 0) passPosts(path, passed);
		const what = random();
		if (what < 0.4) failPosts(path, { cut: 'after', times: allAttempts });
		else if (what < 0.6) failPosts(path, { status: 402, code: 'insufficient_credit', times: 2 });
		else if (what < 0.7) failPosts(path, { status: 400, code: 'invalid_parameter', times: 1 });
		else if (what < 0.8) failPosts(path, { status: 409, code: 'conflict', times: 1 });
	};
	const parameters = parametersOf(waiting({ requestsAtOnce: pick(2) }));
	const nodes = [createNode('Node', 'VideoGenVideo', parameters, { ...signedIn, ...node })];
	const main = isLoop ? [[], toInput] : [];
	const connections = { Items: connectTo('Node'), Node: { main } };
	const input = { items: items(count) };

	failAtRandom();
	let run: IRun = await runNodes(service, nodes, connections, input);
	for (let retry = 1; retry <= mostRetries && run.data.resultData.error; retry++) {
		service.control.clearFaults();
		if (retry < 3) failAtRandom();
		run = await retryRun(service, run, nodes, connections, input);
	}

	const made = jobs('video') as Array<IDataObject & { id: string; willFail: boolean }>;
	expect(made.filter(({ willFail }) => !willFail).length).toBeLessThanOrEqual(count);
	const runs = run.data.resultData.runData.Node ?? [];
	const out = runs.flatMap(({ data }) => data?.main?.[0] ?? []);
	expect(new Set(out.map(({ json }) => json.video_id)).size).toBe(out.length);
	if (isLoop || run.data.resultData.error) return;
	const rows = out.map(({ json }) => {
		const video = made.find(({ id }) => id === json.video_id);
		return /number (\d+)/.exec(JSON.stringify(video?.composition))?.[1];
	});
	expect(rows).toEqual(items(count).map((_, i) => `${i}`));
});
