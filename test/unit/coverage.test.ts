/** The nodes serve the endpoints of simulator/openapi.yaml, and call no others. */
import { readCoverage } from '../../tools/apiCoverage';

test('every endpoint is in the list, with an operation that serves it', () => {
	const { tasks } = readCoverage();
	if (tasks.length > 0) throw new Error(tasks.join('\n'));
});
