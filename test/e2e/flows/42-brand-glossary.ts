import assert from 'node:assert/strict';
import type { IDataObject } from 'n8n-workflow';
import { packageName } from '../../../tools/stage';
import type { Flow } from '../flow';
import { byId, chain, errorText, itemsNode, runDraft, start, succeeded } from '../workflows';

const type = `${packageName}.videoGenBrandGlossary`;

export const flow: Flow = {
	name: 'words of a sheet become a glossary, whose lists are kept, replaced and cleared; a video uses it',
	run: async (context) => {
		const { simulator } = context;
		const words = [
			{
				name: 'Kiosk words',
				terms: [{ term: 'GIF', pronunciation: 'jif' }],
				kept: [{ term: 'Night Kiosk' }],
				forced: [{ term: 'checkout', translation: 'Kasse' }],
			},
		];
		const execution = await runDraft(
			context,
			chain('Glossary', [
				start,
				...itemsNode(words),
				{
					name: 'Create',
					type,
					parameters: {
						operation: 'create',
						name: '={{ $json.name }}',
						listsFrom: 'json',
						terms_json: '={{ $json.terms }}',
						do_not_translate_terms_json: '={{ $json.kept }}',
						forced_translations_json: '={{ JSON.stringify($json.forced) }}',
					},
				},
				{
					name: 'Update',
					type,
					parameters: {
						operation: 'update',
						brand_glossary_id: byId('={{ $json.brand_glossary_id }}'),
						listsFrom: 'form',
						termsChange: 'replace',
						terms: {
							entry: [
								{ term: 'GIF', pronunciation: 'gif' },
								{ term: 'SQL', pronunciation: 'sequel' },
							],
						},
						untranslatedChange: 'clear',
						forcedChange: 'keep',
					},
				},
				{
					name: 'Get',
					type,
					parameters: {
						operation: 'get',
						brand_glossary_id: byId('={{ $json.brand_glossary_id }}'),
					},
				},
				{
					name: 'Use',
					type: 'video',
					parameters: {
						operation: 'createAvatar',
						avatar_id: byId('look_001_1'),
						speechFrom: 'text',
						script: 'A GIF of SQL, and this is a long enough text.',
						voice_id: byId('voice_001'),
						waitForCompletion: false,
						lookAndSound: { brand_glossary_id: byId('={{ $json.brand_glossary_id }}') },
					},
				},
			]),
		);
		const [created] = succeeded(execution, 'Create');
		assert.deepEqual(created?.json.do_not_translate_terms, [{ term: 'Night Kiosk' }]);
		const id = String(created?.json.brand_glossary_id);
		const [read] = succeeded(execution, 'Get');
		assert.equal(read?.json.name, 'Kiosk words', 'not sent, so kept');
		assert.deepEqual(read?.json.terms, [
			{ term: 'GIF', pronunciation: 'gif' },
			{ term: 'SQL', pronunciation: 'sequel' },
		]);
		assert.deepEqual(read?.json.do_not_translate_terms, [], 'cleared');
		assert.deepEqual(read?.json.forced_translations, words[0]?.forced, 'kept');
		succeeded(execution, 'Use');
		const videos = simulator.control.requests({ method: 'POST', path: '/v3/videos' });
		assert.ok(videos.some(({ body }) => (body as IDataObject).brand_glossary_id === id));

		const asked = simulator.control.requests().length;
		const repeated = await runDraft(
			context,
			chain('Repeated term', [
				start,
				{
					name: 'Create',
					type,
					parameters: {
						operation: 'create',
						name: 'Twice',
						listsFrom: 'form',
						do_not_translate_terms: { entry: [{ term: 'Kiosk' }, { term: 'KIOSK' }] },
					},
				},
			]),
		);
		assert.equal(repeated.status, 'error');
		assert.match(
			errorText(repeated),
			/"Words Not to Translate" has the term "KIOSK" more than once/,
		);
		assert.equal(simulator.control.requests().length, asked, 'nothing was sent');

		const removed = await runDraft(
			context,
			chain('Delete', [
				start,
				{ name: 'Delete', type, parameters: { operation: 'delete', brand_glossary_id: byId(id) } },
			]),
		);
		assert.deepEqual(succeeded(removed, 'Delete')[0]?.json, {
			brand_glossary_id: id,
			deleted: true,
		});
	},
};
