/** Jobs that the service returns for several items. */
import type { Job } from '../../../nodes/core/jobs/types';
import { createSharedJobDetector } from '../../../nodes/core/send/sharedJobs';
import { agentSessionJob, videoJob } from '../../../nodes/jobKinds/catalog';

const video = (id: string): Job => ({ kind: videoJob, id });
const [a, b, c] = ['a', 'b', 'c'].map(video) as [Job, Job, Job];

test('a job is shared if the service returned it for two origins', () => {
	const detector = createSharedJobDetector();
	detector.add({ item: 0, origin: 'x', key: 'first' }, [a]);
	detector.add({ item: 0, origin: 'y', key: 'second' }, [b, c]);
	detector.add({ item: 0, origin: 'y', key: 'second' }, [video('c')]);
	expect([detector.findShared(0), detector.findShared(1)]).toStrictEqual([undefined, undefined]);
	detector.add({ item: 1, origin: 'z' }, [video('a'), video('c')]);
	expect(detector.findShared(0)).toStrictEqual({ jobs: [a, c, c], key: 'first' });
	expect(detector.findShared(1)).toStrictEqual({ jobs: [a, c], key: undefined });
});

test('jobs of different kinds with the same ID are not shared', () => {
	const detector = createSharedJobDetector();
	detector.add({ item: 0, origin: 'x' }, [a]);
	detector.add({ item: 1, origin: 'y' }, [{ kind: agentSessionJob, id: 'a' }]);
	expect([detector.findShared(0), detector.findShared(1)]).toStrictEqual([undefined, undefined]);
});
