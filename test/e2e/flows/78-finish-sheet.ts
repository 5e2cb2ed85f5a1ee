import assert from 'node:assert/strict';
import type { IDataObject } from 'n8n-workflow';
import type { Flow } from '../flow';
import { example, runDraft, succeeded } from '../workflows';

export const flow: Flow = {
	name: 'example 22: a second run creates only the videos that are missing from the sheet',
	run: async (context) => {
		const { control } = context.simulator;
		const draft = example('22-finish-this-sheet.json');
		const rows = draft.pinData?.Rows?.map(({ json }) => json) ?? [];
		assert.equal(rows.length, 8);
		const creates = () => control.requests({ method: 'POST', path: '/v3/videos' }).length;
		/** Runs the workflow on the rows, and writes what it would write into the sheet. */
		const run = async () => {
			const before = creates();
			draft.pinData = { ...draft.pinData, Rows: rows.map((json) => ({ json })) };
			const execution = await runDraft(context, draft);
			for (const name of ['Finished Row', 'Failed Row']) {
				for (const { json } of succeeded(execution, name)) {
					const row = rows.find(({ row_number: number }) => number === Number(json.row_number));
					assert.ok(row, `${name} names a row: ${JSON.stringify(json)}`);
					Object.assign(row, { status: json.status, video_url: json.video_url });
				}
			}
			return creates() - before;
		};
		const namesOf = (isWanted: (row: IDataObject) => boolean) =>
			rows.filter(isWanted).map(({ name }) => name);

		const failure = { code: 'rendering_failed', message: 'The video broke' };
		for (let i = 0; i < 3; i++) control.failNext('video', failure);
		assert.equal(await run(), 5, 'rows that have a video or no script are not sent');
		assert.equal(namesOf(({ video_url: url }) => url !== '').length, 3);
		assert.equal(namesOf(({ status }) => String(status).includes('The video broke')).length, 3);
		assert.deepEqual(
			namesOf(({ status }) => /"Script" is empty/.test(String(status))),
			['Cleo', 'Finn'],
		);

		assert.equal(await run(), 3, 'only the failed ones are created again');
		assert.deepEqual(
			namesOf(({ video_url: url }) => url === ''),
			['Cleo', 'Finn'],
		);
	},
};
