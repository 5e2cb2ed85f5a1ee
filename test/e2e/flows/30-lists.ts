import assert from 'node:assert/strict';
import { packageName } from '../../../tools/stage';
import type { Flow } from '../flow';
import { byId } from '../workflows';

export const flow: Flow = {
	name: 'the editor lists languages, and the fonts of the brand kit that is chosen in the node',
	run: async ({ n8n, credential }) => {
		const credentials = { videoGenApi: credential };
		const languages = await n8n.loadOptions({
			type: `${packageName}.videoGenTranslation`,
			path: 'output_languages',
			method: 'getTranslationLanguages',
			parameters: { authentication: 'apiKey', resource: 'translation', operation: 'create' },
			credentials,
		});
		const values = languages.map(({ value }) => value);
		assert.ok(
			['French', 'German', 'Portuguese'].every((name) => values.includes(name)),
			values.join(),
		);

		const { results } = await n8n.listSearch({
			type: `${packageName}.videoGenBrandKit`,
			// Two levels below the field that it depends on.
			path: 'font_roles.title_text.font_id',
			method: 'searchBrandKitFonts',
			parameters: {
				authentication: 'apiKey',
				operation: 'update',
				brand_kit_id: byId('kit_003'),
				fontChange: 'replace',
			},
			credentials,
		});
		assert.deepEqual(
			results.map(({ value }) => value),
			['kit_003_font_1', 'kit_003_font_2'],
		);
	},
};
