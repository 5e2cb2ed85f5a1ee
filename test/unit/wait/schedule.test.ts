/** When a wait looks again, and what it keeps in the execution. */
import {
	endWait,
	keepWait,
	markOf,
	pauseAfter,
	waitIn,
} from '../../../nodes/VideoGenWait/schedule';

const minutes = (count: number) => count * 60_000;

test.each([
	[0, 65_000],
	[minutes(1), 65_000],
	[minutes(6), minutes(2)],
	[minutes(15), minutes(5)],
	[minutes(1000), minutes(5)],
])('after %d ms it looks again in %d ms', (waited, pause) => {
	expect(pauseAfter(waited)).toBe(pause);
});

test('a day of waiting is some 300 looks', () => {
	let looks = 0;
	for (let waited = 0; waited < minutes(1440); waited += pauseAfter(waited)) looks++;
	expect(looks).toBeLessThan(300);
});

test('the same jobs have the same mark, in whatever order; others have another', () => {
	expect(markOf(['video a', 'video b'])).toBe(markOf(['video b', 'video a']));
	expect(markOf(['video a', 'video b'])).not.toBe(markOf(['video a']));
	expect(markOf(['a', 'b'])).not.toBe(markOf(['a b']));
});

test('a wait goes on where it was kept, and begins anew for other jobs and after its end', () => {
	const context = {};
	expect(waitIn(context, 'one', 5)).toEqual({ since: 5, looks: 0 });
	keepWait(context, 'one', { since: 5, looks: 1 });
	// As n8n's database gives it back.
	const stored = JSON.parse(JSON.stringify(context)) as object;
	expect(waitIn(stored, 'one', 99)).toEqual({ since: 5, looks: 1 });
	expect(waitIn(stored, 'two', 99)).toEqual({ since: 99, looks: 0 });
	endWait(context);
	expect(waitIn(context, 'one', 99)).toEqual({ since: 99, looks: 0 });
});
