/** What saved workflows rely on stays: the nodes keep what docs/contract.txt says. */
import { complaints, judge } from '../../tools/contract-changes';
import { readAccepted, readFacts, readRecorded, readReleased } from '../../tools/contract-read';

const { released, note } = readReleased();
const measure = released[0] ? `docs/contract.txt and ${released[0].name}` : `${note}`;

test(`the nodes keep what saved workflows rely on (${measure})`, () => {
	const wrong = complaints(judge(readFacts(), readRecorded(), released, readAccepted()));
	if (wrong.length > 0) throw new Error(wrong.join('\n\n'));
});

test('no field is there twice at the same time', () => {
	const parameters = readFacts().flatMap(
		({ line }) => line.match(/^.+?(?=: [\w ]+, default )/) ?? [],
	);
	expect(parameters.length).toBeGreaterThan(0);
	expect(parameters.filter((one, i) => parameters.indexOf(one) !== i)).toEqual([]);
});
