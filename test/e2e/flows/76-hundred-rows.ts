import assert from 'node:assert/strict';
import type { Flow } from '../flow';
import { itemsOf } from '../n8n';
import { example, runDraft, succeeded } from '../workflows';

export const flow: Flow = {
	name: 'example 18: a hundred rows become a hundred videos in one request, each for its own row',
	run: async (context) => {
		const execution = await runDraft(context, example('18-hundred-rows-to-videos.json'), 200_000);
		const people = itemsOf(execution, 'Rows');
		assert.equal(people.length, 100);
		const mails = succeeded(execution, 'Send Mail');
		assert.deepEqual(
			mails.map(({ json }) => json.email),
			people.map(({ json }) => json.email),
		);
		assert.equal(new Set(mails.map(({ json }) => json.video_id)).size, 100);
		assert.ok(mails.every(({ json }) => /^http/.test(String(json.video_url))));
	},
};
