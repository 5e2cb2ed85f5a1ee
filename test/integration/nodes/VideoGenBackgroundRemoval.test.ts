import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { resources } from '../../../nodes/VideoGenBackgroundRemoval/operations';
import type { Simulator } from '../../../simulator';
import { describeOperations, runForJson, url, type Cases } from '../support/cases';
import { loadListPage } from '../support/contexts';
import { byId, readContent, runNode, type RunOptions } from '../support/engine';
import { useService } from '../support/service';
import { noWait } from '../support/expectedRequest';

const video = url('https://files.example/talk.mp4');

const aRemoval = async (service: Simulator) =>
	await runForJson(service, 'VideoGenBackgroundRemoval', { operation: 'create', video, ...noWait });

const cases: Cases = {
	create: {
		line: 'POST /v3/background-removals',
		parameters: { video, options: { layers: ['foreground', 'mask'], title: 'Talk' } },
		differences: {
			// The key is in the body, because this endpoint ignores the header.
			request_id: expect.stringMatching(/^n8n-[0-9a-f]{48}$/),
		},
	},
	get: { line: 'GET /v3/background-removals/{job_id}', before: aRemoval },
	getMany: { line: 'GET /v3/background-removals', before: aRemoval },
	delete: { line: 'DELETE /v3/background-removals/{job_id}', before: aRemoval },
	download: {
		line: 'GET /v3/background-removals/{job_id}',
		before: aRemoval,
		parameters: { files: ['mask'], binaryPropertyName: 'mask' },
		differences: { files: undefined },
		returns: async (items, ids) => {
			expect(items[0]?.binary?.mask?.fileName).toBe(`${ids.job_id}.mask.webm`);
			// The signature of a WebM file.
			expect((await readContent(items[0], 'mask')).subarray(0, 4).toString('hex')).toBe('1a45dfa3');
		},
	},
};

describeOperations('VideoGenBackgroundRemoval', resources, cases);

const service = useService({ jobSeconds: 1 });

const creates = () => service.control.requests({ method: 'POST', path: '/v3/background-removals' });

const removal = async (parameters: INodeParameters = {}, more: RunOptions = {}) =>
	await runNode(
		service,
		'VideoGenBackgroundRemoval',
		{
			...{ operation: 'create', video, waitForCompletion: true, ...parameters },
			options: { pollInterval: 1, ...(parameters.options as INodeParameters) },
		},
		more,
	);

test('a lost response and a retry of the node create only one job', async () => {
	// The first attempt of n8n sends ten requests.
	service.control.fail({ path: '/v3/background-removals', cut: 'after', times: 11 });
	const { items } = await removal(
		{ waitForCompletion: false },
		{ node: { retryOnFail: true, waitBetweenTries: 1 } },
	);
	expect(creates()).toHaveLength(12);
	const jobs = service.control.jobs('background_removal') as IDataObject[];
	expect(items.map(({ json }) => json.job_id)).toEqual(jobs.map(({ id }) => id));
	expect(jobs).toHaveLength(1);
	expect(creates()[0]?.headers['idempotency-key']).toBeUndefined();

	await removal({ ...noWait, options: { idempotencyKey: 'order-7' } });
	expect(creates().at(-1)?.body).toMatchObject({ request_id: 'order-7' });
	// A request_id in the Additional Body Fields is used as the key.
	const additionalBodyFields = '{"request_id": "my-own"}';
	await removal({ ...noWait, options: { additionalBodyFields } });
	expect(creates().at(-1)?.body).toMatchObject({ request_id: 'my-own' });
});

test('a job that is deleted during the wait is an error', async () => {
	const body = { data: { status: 'deleted', layers: {} } };
	service.control.fail({ method: 'GET', path: /background-removals\//, body });
	const { error } = await removal();
	expect(error?.message).toContain('The background removal failed');
	expect(error?.context?.details).toMatchObject({ status: 'deleted' });
});

test('the error for a missing layer says how to create it, or to wait', async () => {
	const download = async (id: unknown) =>
		await runNode(service, 'VideoGenBackgroundRemoval', {
			...{ operation: 'download', job_id: byId(id) },
			...{ files: ['background'], binaryPropertyName: 'data' },
		});
	const finished = (await removal({ options: { layers: ['mask'] } })).items[0]?.json.job_id;
	const { error } = await download(finished);
	expect(error?.message).toContain(`Background removal ${finished} has no layer "background"`);
	expect(error?.description).toContain('select the layer under Layers');

	service.control.holdJobs(true);
	const running = await download((await removal(noWait)).items[0]?.json.job_id);
	service.control.holdJobs(false);
	expect(running.error?.description).toContain('Wait until it is completed');
});

test('the service decides about an unknown layer', async () => {
	const { error } = await removal({ options: { layers: ['={{ "sky" }}'] } });
	expect(error?.message).toContain('layers');
	expect(service.control.jobs('background_removal')).toEqual([]);
});

test('the list in the form shows all with status and time', async () => {
	const { items } = await removal();
	await removal(noWait);
	const search = async (filter?: string) =>
		(
			await loadListPage(service, 'VideoGenBackgroundRemoval', 'searchBackgroundRemovals', {
				filter,
			})
		).results;
	expect(await search()).toHaveLength(2);
	const today = new Date(service.control.clock.now() * 1000).toISOString().slice(0, 10);
	const name = expect.stringMatching(`^removal_\\w+ \\(completed, ${today} \\d\\d:\\d\\d UTC\\)$`);
	expect(await search('completed')).toEqual([
		expect.objectContaining({ name, value: items[0]?.json.job_id }),
	]);
});
