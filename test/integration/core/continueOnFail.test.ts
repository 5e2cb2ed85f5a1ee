/** On Error: the result of the items when some of them fail. */
import { createCalls, continueOnFail, waiting } from '../support/calls';
import { useService } from '../support/service';

const service = useService();
const { createVideos, createBatch, createSessions, jobs, failRenders } = createCalls(service);

const wrong = {
	error:
		'"Prompt" is empty. The expression {{ $json.i === 1 ? "" : "fine" }} returned no value; the row has i [row 2]',
	details: expect.objectContaining({ code: 'invalid_value' }),
};
const oneWrong = { prompt: '={{ $json.i === 1 ? "" : "fine" }}' };

test('with Continue On Fail the other items go on', async () => {
	const { items: out } = await createSessions(3, oneWrong, { node: continueOnFail });
	expect(out.map(({ json }) => Boolean(json.session_id))).toEqual([true, false, true]);
	expect(out[1]).toMatchObject({ pairedItem: { item: 1 }, json: wrong });
	expect(jobs('session')).toHaveLength(2);
});

test('an error output takes the wrong items, with the input next to the error', async () => {
	const node = { onError: 'continueErrorOutput' as const };
	const { items: out, errors } = await createSessions(2, oneWrong, { node });
	expect(out).toHaveLength(1);
	expect(errors.map(({ json }) => json)).toEqual([expect.objectContaining({ i: 1, ...wrong })]);
});

test('with Continue On Fail the item names the job that failed', async () => {
	failRenders();
	const { items: out } = await createVideos(1, waiting(), { node: continueOnFail });
	const job = { kind: 'video', id: jobs('video')[0]?.id };
	expect(out[0]?.json.details).toMatchObject({ code: 'render_failed', job });
});

test('each item of a batch that failed has the error, with its own number', async () => {
	service.control.fail({ path: /videos/, status: 402, code: 'insufficient_credit' });
	const { items: out } = await createBatch(3, {}, { node: continueOnFail });
	expect(out.map(({ json }) => /\[row \d\].*$/.exec(String(json.error))?.[0])).toEqual([
		'[row 1]',
		'[row 2]',
		'[row 3]',
	]);
});
