/**
 * Retry On Fail on n8n's Execute Sub-workflow node. Each attempt is another execution of the
 * sub-workflow, so only keys that outlive an execution prevent a second payment.
 */
import type { IExecuteFunctions, INodeParameters, INodeType } from 'n8n-workflow';
import { avatar, createCalls, getValues, items, retryOnFail } from '../support/calls';
import {
	addType,
	connectTo,
	createNode,
	loadNodeType,
	runNodes,
	signedIn,
} from '../support/engine';
import { useService } from '../support/service';

const service = useService();
const { jobs, passPosts, failPosts } = createCalls(service);

/** Runs VideoGen Video in an execution of its own, as n8n's Execute Sub-workflow node does. */
const subWorkflowNode = (parameters: INodeParameters): INodeType => ({
	description: { ...loadNodeType('items').description, name: 'subWorkflow', inputs: ['main'] },
	async execute(this: IExecuteFunctions) {
		const node = createNode('Node', 'VideoGenVideo', avatar(parameters), signedIn);
		const run = await runNodes(
			service,
			[node],
			{ Items: connectTo('Node') },
			{ items: this.getInputData() },
		);
		if (run.data.resultData.error) throw run.data.resultData.error;
		return [run.data.resultData.runData.Node?.at(-1)?.data?.main?.[0] ?? []];
	},
});

test.each([
	['execution', 8],
	['request', 5],
])('five items of which one is rejected once, paid per %s, make %i', async (payOncePer, count) => {
	addType(
		`sub-${payOncePer}`,
		subWorkflowNode({ options: { payOncePer }, advanced: { requestsAtOnce: 1 } }),
	);
	passPosts('/v3/videos', 3);
	failPosts('/v3/videos', { status: 400, times: 1 });
	const caller = createNode('Sub', `sub-${payOncePer}`, {}, retryOnFail);
	const run = await runNodes(service, [caller], { Items: connectTo('Sub') }, { items: items(5) });
	expect(run.data.resultData.error).toBeUndefined();
	const out = run.data.resultData.runData.Sub?.at(-1)?.data?.main?.[0] ?? [];
	expect(new Set(getValues(out, 'video_id')).size).toBe(5);
	expect(jobs('video')).toHaveLength(count);
});
