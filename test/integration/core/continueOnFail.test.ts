/** On Error: what becomes of the items when some of them fail. */
import type { IDataObject } from 'n8n-workflow';
import { avatar, batch, items, session } from '../support/calls';
import { runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService();

test('with Continue On Fail the right items go on', async () => {
	const { items: out } = await runNode(
		service,
		'VideoGenAgent',
		session({ prompt: '={{ $json.i === 1 ? "" : "fine" }}' }),
		{ items: items(3), node: { onError: 'continueRegularOutput' } },
	);
	expect(out.map(({ json }) => Boolean(json.session_id))).toEqual([true, false, true]);
	expect(out[1]).toMatchObject({
		pairedItem: { item: 1 },
		json: { error: '"Prompt" is required [item 1]', details: { code: 'invalid_value' } },
	});
	expect(service.control.jobs('session')).toHaveLength(2);
});

test('an error output takes the wrong items, with the input beside the error', async () => {
	const { items: out, errors } = await runNode(
		service,
		'VideoGenAgent',
		session({ prompt: '={{ $json.i === 1 ? "" : "fine" }}' }),
		{ items: items(2), node: { onError: 'continueErrorOutput' } },
	);
	expect(out).toHaveLength(1);
	expect(errors).toHaveLength(1);
	expect(errors[0]?.json).toMatchObject({
		i: 1,
		error: '"Prompt" is required [item 1]',
		details: { code: 'invalid_value' },
	});
});

test('with Continue On Fail the failed job is named on the item', async () => {
	service.control.failNext('video', { code: 'render_failed', message: 'The face was lost' });
	const { items: out } = await runNode(
		service,
		'VideoGenVideo',
		avatar({ waitForCompletion: true, options: { pollInterval: 1 } }),
		{
			node: { onError: 'continueRegularOutput' },
		},
	);
	const [job] = service.control.jobs('video') as IDataObject[];
	expect(out[0]?.json).toMatchObject({
		details: { code: 'render_failed', job: { kind: 'video', id: job?.id } },
	});
});

test('the failure of a batch is told for each of its items, by its own number', async () => {
	service.control.fail({ path: /videos/, status: 402, code: 'insufficient_credit' });
	const { items: out } = await runNode(service, 'VideoGenVideo', batch(), {
		items: items(3),
		node: { onError: 'continueRegularOutput' },
	});
	expect(out.map(({ json }) => /\[item \d\].*$/.exec(String(json.error))?.[0])).toEqual([
		'[item 0]',
		'[item 1]',
		'[item 2]',
	]);
});
