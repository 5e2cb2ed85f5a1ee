/** The nodes keep what saved workflows rely on: the facts of docs/contract.txt and of the last release. */
import { parseContract, renderContract, renderFact } from '../../tools/contract';
import { judgeProject, renderComplaints } from '../../tools/contractChanges';

const { facts, verdict } = judgeProject();
const lines = facts.map(renderFact);

test('the nodes keep what saved workflows rely on', () => {
	const complaints = renderComplaints(verdict);
	if (complaints.length > 0) throw new Error(complaints.join('\n\n'));
});

test('no parameter exists twice under the same conditions', () => {
	const parameters = lines.flatMap((line) => line.match(/^.+?(?=: [\w ]+, default )/) ?? []);
	expect(parameters.length).toBeGreaterThan(0);
	expect(parameters.filter((one, i) => parameters.indexOf(one) !== i)).toEqual([]);
});

test('the contract file holds every fact', () => {
	expect(parseContract(renderContract(facts)).sort()).toEqual(lines.sort());
});
