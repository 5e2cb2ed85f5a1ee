/** Which jobs of an item are samples, which the service does not know. */
import { createSampleJob, isSampleJob } from '../../../nodes/core/collect/sampleResults';
import { videoJob } from '../../../nodes/jobKinds/catalog';

const { id } = createSampleJob(videoJob);

test.each([
	['a sample', { simulated: true }, id, true],
	['a real job in a sample item', { simulated: true }, 'v1', false],
	['the ID of a sample in another item', {}, id, false],
	['the ID of a sample and a text', { simulated: 'true' }, id, false],
])('%s', (_, json, job, isSample) => expect(isSampleJob(json, job)).toBe(isSample));
