import assert from 'node:assert/strict';
import { parse } from 'flatted';
import type { IRunExecutionData } from 'n8n-workflow';
import { startSimulator } from '../../../simulator';
import { credentialType, packageName, withCredential } from '../../../tools/stage';
import { chain, everyTenSeconds, until, type Link } from '../../e2e/workflows';
import type { Cluster } from '../cluster';
import { pause } from '../disturb';
import type { QueueFlow } from '../flow';

interface Endpoint {
	id: string;
	url: string;
}

const done: Link = { name: 'Done', type: 'n8n-nodes-base.noOp' };

let made = 0;
const emit = ({ control }: Pick<Cluster['simulator'], 'control'>, count: number) =>
	Array.from({ length: count }, () => {
		const video = `repaired ${++made}`;
		control.emit('avatar_video.success', { video_id: video });
		return video;
	});

async function call(
	{ baseUrl, apiKey }: Pick<Cluster['simulator'], 'baseUrl' | 'apiKey'>,
	line: string,
	body?: object,
) {
	const [method, path] = line.split(' ');
	const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
	const response = await fetch(`${baseUrl}/v3/webhooks/endpoints${path}`, {
		method,
		headers,
		body: body && JSON.stringify(body),
	});
	assert.equal(response.status, 200, line);
}

/** The service lists only events that it tries to deliver to some endpoint. */
const listEvents = async (simulator: Parameters<typeof call>[0]) =>
	await call(simulator, 'POST ', { url: 'https://nobody.example/events' });

/** The videos that a workflow has output, once all its executions have ended well. */
const outputsOf = ({ postgres }: Cluster, workflowId: string) => {
	const rows = postgres.query<{ status: string; data: string }>(`
		SELECT e.status, d.data FROM execution_entity e
		JOIN execution_data d ON d."executionId" = e.id WHERE e."workflowId" = '${workflowId}'`);
	if (rows.some(({ status }) => status !== 'success')) return undefined;
	return rows
		.flatMap(({ data }) => (parse(data) as IRunExecutionData).resultData.runData.Done ?? [])
		.flatMap((task) => task.data?.main?.[0] ?? [])
		.map(({ json }) => String(json.video_id))
		.sort();
};

/** Waits until a workflow has output these videos, and a while longer: none may be output twice. */
async function expectOutputs(cluster: Cluster, workflowId: string, videos: readonly string[]) {
	const wanted = [...videos].sort();
	await until(
		`the output of ${wanted.join(', ')}`,
		() => wanted.every((video) => outputsOf(cluster, workflowId)?.includes(video)),
		120_000,
	);
	await pause(3);
	assert.deepEqual(outputsOf(cluster, workflowId), wanted);
}

const ownEndpoint = ({ simulator }: Cluster) =>
	(simulator.control.endpoints() as Endpoint[]).filter(({ url }) => !url.includes('nobody'));

/** A run that changes the static data ends after the workflow was published again. */
async function restoreOldSecret(cluster: Cluster) {
	const { n8n, simulator, credential, webhook } = cluster;
	const draft = chain('Long Runs', [
		{ name: 'Event', type: 'trigger', parameters: { events: ['avatar_video.success'] } },
		{
			name: 'Count',
			type: 'n8n-nodes-base.code',
			parameters: {
				jsCode: "$getWorkflowStaticData('global').n = Date.now();\nreturn $input.all();",
			},
			more: { typeVersion: 2 },
		},
		{
			name: 'Wait',
			type: 'n8n-nodes-base.wait',
			parameters: { amount: 20, unit: 'seconds' },
			more: { typeVersion: 1.1 },
		},
		done,
	]);
	const { id } = await n8n.createWorkflow(withCredential(draft, credential));
	await n8n.activate(id);
	const first = emit(simulator, 1);
	await until('the first run', async () => (await n8n.executions({ workflowId: id })).length === 1);
	await pause(5);
	await n8n.deactivate(id);
	await n8n.activate(id);
	await expectOutputs(cluster, id, first);
	const second = emit(simulator, 1);
	await expectOutputs(cluster, id, [...first, ...second]);
	assert.match(webhook.logs(), /the stored signing secret was outdated/);
	assert.equal(ownEndpoint(cluster).length, 1);
	await n8n.deactivate(id);
	await until('the end of the endpoint', () => ownEndpoint(cluster).length === 0, 30_000);
}

/** Somebody changes the endpoint in the service. Only a new secret is noticed by a delivery. */
async function changeEndpoint(cluster: Cluster) {
	const { n8n, simulator, credential } = cluster;
	const parameters = { events: ['avatar_video.success'] };
	const draft = chain('Changed', [{ name: 'Event', type: 'trigger', parameters }, done]);
	const { id } = await n8n.createWorkflow(withCredential(draft, credential));
	await n8n.activate(id);
	const publishAgain = async () => {
		await n8n.deactivate(id);
		await n8n.activate(id);
	};
	const changes: Array<[(endpoint: string) => Promise<void> | void, () => Promise<void>]> = [
		[async (one) => await call(simulator, `POST /${one}/rotate-secret`), async () => undefined],
		[
			async (one) => await call(simulator, `PATCH /${one}`, { events: ['avatar_video.fail'] }),
			n8n.restart,
		],
		[(one) => simulator.control.change('endpoints', one, { status: 'disabled' }), publishAgain],
		[async (one) => await call(simulator, `DELETE /${one}`), n8n.restart],
	];
	const videos: string[] = [];
	for (const [change, notice] of changes) {
		const [endpoint] = ownEndpoint(cluster);
		assert.ok(endpoint);
		await change(endpoint.id);
		videos.push(...emit(simulator, 2));
		await notice();
		await expectOutputs(cluster, id, videos);
		videos.push(...emit(simulator, 1));
		await expectOutputs(cluster, id, videos);
	}
	await n8n.deactivate(id);
}

/** The polling trigger gets another account, and then another name, while it is not published. */
async function changePollingTrigger(cluster: Cluster) {
	const { n8n, simulator, credential } = cluster;
	const other = await startSimulator();
	try {
		await listEvents(other);
		const user = { data: { username: 'other' } };
		other.control.fail({ path: '/v3/users/me', status: 200, body: user });
		emit(other, 20);
		const account = await n8n.createCredential(credentialType, 'Other', {
			apiKey: other.apiKey,
			baseUrl: other.baseUrl,
		});
		const draftOf = (name: string) =>
			chain('Poll', [
				{
					name,
					type: `${packageName}.videoGenPollingTrigger`,
					parameters: { source: 'events', events: [], pollTimes: everyTenSeconds },
				},
				done,
			]);
		const { id } = await n8n.createWorkflow(withCredential(draftOf('Event'), credential));
		const publish = async ({ control }: Pick<Cluster['simulator'], 'control'>) => {
			const countPolls = () => control.requests({ path: '/v3/webhooks/events' }).length;
			const before = countPolls();
			await n8n.activate(id);
			await until('two polls', () => countPolls() >= before + 2, 60_000);
		};
		await publish(simulator);
		await n8n.deactivate(id);
		await n8n.updateWorkflow(id, withCredential(draftOf('Event'), account));
		await publish(other);
		await pause(5);
		assert.deepEqual(await n8n.executions({ workflowId: id }), []);

		await n8n.deactivate(id);
		await n8n.updateWorkflow(id, withCredential(draftOf('Renamed'), account));
		const videos = emit(other, 10);
		await publish(other);
		await expectOutputs(cluster, id, videos);
		await n8n.deactivate(id);
	} finally {
		await other.close();
	}
}

export const flow: QueueFlow = {
	name: 'the triggers repair an old secret and a changed endpoint, and notice another account',
	short: true,
	run: async (cluster) => {
		await listEvents(cluster.simulator);
		await restoreOldSecret(cluster);
		await changeEndpoint(cluster);
		await changePollingTrigger(cluster);
	},
};
