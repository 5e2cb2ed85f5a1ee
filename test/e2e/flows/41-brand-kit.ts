import assert from 'node:assert/strict';
import type { IDataObject } from 'n8n-workflow';
import { packageName } from '../../../tools/stage';
import type { Flow } from '../flow';
import { byId, chain, errorText, runDraft, start, succeeded } from '../workflows';

const type = `${packageName}.videoGenBrandKit`;

export const flow: Flow = {
	name: 'a website becomes a brand kit; its roles are changed with its own logos and fonts, and a session uses it',
	run: async (context) => {
		const { n8n, credential, simulator } = context;
		const imported = await runDraft(
			context,
			chain('Import', [
				start,
				{
					name: 'Import',
					type,
					parameters: {
						operation: 'create',
						url: 'https://kiosk.example/',
						waitForCompletion: true,
						options: { name: 'Kiosk', pollInterval: 1 },
					},
				},
			]),
		);
		const [kit] = succeeded(imported, 'Import');
		assert.equal(kit?.json.status, 'completed');
		const id = String(kit?.json.brand_kit_id);

		const parameters = {
			authentication: 'apiKey',
			operation: 'update',
			brand_kit_id: byId(id),
			logoChange: 'replace',
			fontChange: 'replace',
		};
		const list = async (method: string, path: string) => {
			const { results } = await n8n.listSearch({
				type,
				path,
				method,
				parameters,
				credentials: { videoGenApi: credential },
			});
			return results.map(({ value }) => value);
		};
		const [logo] = await list('searchBrandKitLogos', 'logo_id');
		const [font] = await list('searchBrandKitFonts', 'font_roles.title_text.font_id');
		assert.equal(logo, (kit?.json.logos as IDataObject[])[0]?.logo_id);
		assert.equal(font, (kit?.json.fonts as IDataObject[])[0]?.font_id);

		const execution = await runDraft(
			context,
			chain('Use', [
				start,
				{
					name: 'Update',
					type,
					parameters: {
						operation: 'update',
						brand_kit_id: byId(id),
						name: 'Kiosk in orange',
						colorChange: 'replace',
						color_roles: { primary: '#ff8800', accent: '#102030' },
						logoChange: 'clear',
						fontChange: 'replace',
						font_roles: { title_text: { font_id: byId(String(font)), weight: 700 } },
					},
				},
				{
					name: 'Use',
					type: 'agent',
					parameters: {
						operation: 'create',
						prompt: 'A welcome',
						mode: 'generate',
						waitForCompletion: false,
						lookAndSound: { brand_kit_id: byId('={{ $json.brand_kit_id }}') },
					},
				},
				{
					name: 'Get',
					type,
					parameters: { operation: 'get', brand_kit_id: byId(id) },
				},
			]),
		);
		succeeded(execution, 'Use');
		const [read] = succeeded(execution, 'Get');
		assert.equal(read?.json.name, 'Kiosk in orange');
		assert.deepEqual(read?.json.color_roles, { primary: '#ff8800', accent: '#102030' });
		assert.deepEqual(read?.json.logo_roles, {});
		assert.deepEqual(read?.json.font_roles, { title_text: { font_id: font, weight: 700 } });
		const sessions = simulator.control.requests({ method: 'POST', path: '/v3/video-agents' });
		assert.ok(sessions.some(({ body }) => (body as IDataObject).brand_kit_id === id));

		simulator.control.failNext('brand_kit', { code: 'import_failed', message: 'No such site' });
		const failed = await runDraft(
			context,
			chain('Failed import', [
				start,
				{
					name: 'Import',
					type,
					parameters: {
						operation: 'create',
						url: 'https://nowhere.example/',
						waitForCompletion: true,
						options: { pollInterval: 1 },
					},
				},
			]),
		);
		assert.equal(failed.status, 'error');
		assert.match(errorText(failed), /The brand kit failed/);

		const removed = await runDraft(
			context,
			chain('Delete', [
				start,
				{ name: 'Delete', type, parameters: { operation: 'delete', brand_kit_id: byId(id) } },
			]),
		);
		assert.deepEqual(succeeded(removed, 'Delete')[0]?.json, { brand_kit_id: id, deleted: true });
	},
};
