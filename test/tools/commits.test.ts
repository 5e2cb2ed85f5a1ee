import { findSubjectProblem, readNewSubjects } from '../../tools/commits';

const subjects = readNewSubjects();
const scope =
	subjects.length > 0 ? `${subjects.length} new commits` : 'no history in this checkout';

test(`commit subjects follow the rule (${scope})`, () => {
	const problems = subjects.flatMap((subject) => {
		const problem = findSubjectProblem(subject);
		return problem === undefined ? [] : [`"${subject}" ${problem}`];
	});
	expect(problems).toEqual([]);
});

test.each([
	'Build the request body once',
	'Pass the signal on to the download',
	'Feed the list from the response',
	'x'.repeat(72),
])('"%s" is a subject', (subject) => {
	expect(findSubjectProblem(subject)).toBeUndefined();
});

test.each([
	['x'.repeat(73), 'has 73 characters, more than 72'],
	['Fix the timeout.', 'ends with a period'],
	['What goes into the body is not put together twice', 'begins with "What"'],
	['The timeout is fixed', 'begins with "The"'],
	['Fixed the timeout', 'begins with "Fixed"'],
	['Fixes the timeout', 'begins with "Fixes"'],
	['Fixing the timeout', 'begins with "Fixing"'],
	['— a timeout', 'begins with ""'],
])('"%s" is rejected: it %s', (subject, problem) => {
	expect(findSubjectProblem(subject)).toContain(problem);
});
