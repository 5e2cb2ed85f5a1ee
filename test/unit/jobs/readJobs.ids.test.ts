/** A status response counts only for the job whose ID it names. */
import type { IDataObject } from 'n8n-workflow';
import { getErrorDetails } from '../../../nodes/core/errors/errorDetails';
import { fetchJobStatus } from '../../../nodes/core/jobs/readJobs';
import { videoJob } from '../../../nodes/jobKinds/catalog';
import { checkJobs, createStatusService } from './statusService';

const job = { kind: videoJob, id: 'a' };

test.each<[string, IDataObject]>([
	['no ID', { status: 'completed' }],
	['its ID', { id: 'a', status: 'completed' }],
	['its ID under the name of its kind', { video_id: 'a', id: 'other', status: 'completed' }],
	['its ID beside another one', { video_id: 'other', id: 'a', status: 'completed' }],
])('a response with %s is accepted', async (_, response) => {
	const { client } = createStatusService({ a: response });
	await expect(fetchJobStatus(client, job)).resolves.toEqual(response);
});

test.each<[string, IDataObject]>([
	['ID', { id: 'b', status: 'completed' }],
	['ID under the name of its kind', { video_id: 'b', status: 'completed' }],
	['two IDs', { video_id: 'b', id: 'c', status: 'completed' }],
])('a response with the %s of another job is no result', async (_, response) => {
	const { client } = createStatusService({ a: response });
	const error = await fetchJobStatus(client, job).catch((thrown: unknown) => thrown);
	expect((error as Error).message).toBe('The service returned video_id b instead of a');
	expect(getErrorDetails(error)).toEqual({ code: 'other_id' });
});

test('a waiting node asks again, because a proxy may have repeated another response', async () => {
	const other = { id: 'b', status: 'completed' };
	const { client } = createStatusService({ a: [other, { id: 'a', status: 'completed' }] });
	const read = async () => await checkJobs(client, videoJob, ['a']);
	expect(await read()).toMatchObject([{ outcome: 'unreadable' }]);
	expect(await read()).toMatchObject([{ outcome: 'completed', data: { id: 'a' } }]);
});
