/** JSON that is rejected before it is parsed. */
import { findNestingProblem } from '../../../nodes/core/form/validation';

const open = (levels: number) => '[ '.repeat(levels);

test('JSON that begins with more than 100 levels is rejected, even if it is not complete', () => {
	expect(findNestingProblem(open(101))).toBe('must have at most 100 levels of objects and lists');
	expect(findNestingProblem('{"a":'.repeat(101))).toBeUndefined();
	expect(findNestingProblem(open(100))).toBeUndefined();
	expect(findNestingProblem(JSON.stringify(['['.repeat(1_000)]))).toBeUndefined();
});
