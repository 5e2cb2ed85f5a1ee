/**
 * The state that the n8n process keeps in module-level variables, each with its reason. Nothing that
 * was paid for may depend on it: it is lost when n8n restarts, and other processes do not see it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const nodes = path.join(__dirname, '..', '..', 'nodes');

const reasons: Record<string, string> = {
	'core/http/accountTraffic.ts trafficByAccount': 'The limits of an account apply to all its runs.',
	'core/jobs/readJobs.ts sharedLookups': 'Runs that wait for jobs of an account share a request.',
	'core/suspend/suspension.ts runsInPlace': 'Limits the memory that waiting runs take together.',
	'core/send/sendCreateOnce.ts inFlight': 'A language model may call a tool twice at once.',
	'core/errors/nodeErrors.ts partsByError': 'n8n would save the parts with the error.',
	'core/files/fileNames.ts namesByRun':
		'File names are unique in a run, whose end no node notices.',
	'core/operationTraits.ts lists': 'Lists of fields are slow to build, and never change.',
	'shared/upload.ts runInFormMemory': 'Limits the memory that form uploads take together.',
	'VideoGenTrigger/deliveredEvents.ts deliveryStates': 'A repeated delivery may arrive at once.',
	'VideoGenTrigger/deduplicationStore.ts recordQueues': "Writes to n8n's store must be in order.",
	'VideoGenTrigger/selfCheck.ts recentChecks': 'Anybody can send deliveries that cause a check.',
	'VideoGenPollingTrigger/poll.ts activePolls':
		'n8n starts a poll although another one is running.',
	'VideoGenPollingTrigger/poll.ts pollRuns': 'A poll of an earlier process may have been lost.',
	'VideoGenPollingTrigger/poll.ts polledTriggers':
		'n8n gives up on a slow first poll after a start.',
	'VideoGenPollingTrigger/pendingJobs.ts lastChecks': 'Old jobs are checked less often.',
};

/** Collections with initial content are constants. A WeakMap inside a function may be a cache. */
const statePattern =
	/^(?:(?:export )?let (\w+)|(?:export )?const (\w+)(?:: [^=]+)? = (?:createBoundedMap|createSemaphore|new (?:Map|Set)(?:<.*>)?\(\))|\s*(?:export )?const (\w+) = new WeakMap)/gm;

const findState = (file: string): string[] =>
	[...readFileSync(path.join(nodes, file), 'utf8').matchAll(statePattern)].map(
		([, variable, collection, weakMap]) =>
			`${file.replaceAll(path.sep, '/')} ${variable ?? collection ?? weakMap}`,
	);

test('each variable that outlives a run has a reason', () => {
	const files = readdirSync(nodes, { recursive: true, encoding: 'utf8' });
	const found = files.filter((file) => file.endsWith('.ts')).flatMap(findState);
	expect(found.sort()).toEqual(Object.keys(reasons).sort());
});
