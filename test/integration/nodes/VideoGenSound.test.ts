import type { INodeParameters } from 'n8n-workflow';
import { resources } from '../../../nodes/VideoGenSound/operations';
import { readContent, runNode } from '../support/engine';
import { describeOperations, type Cases } from '../support/cases';
import { media } from '../support/media';
import { useService } from '../support/service';
import { few } from '../support/expectedRequest';

const wav = media('speech.wav');

const cases: Cases = {
	search: {
		line: 'GET /v3/audio/sounds',
		parameters: { query: 'calm piano', type: 'sound_effects', options: { min_score: '0.5' } },
	},
};

// Download sends no request to the API and is tested below.
describeOperations(
	'VideoGenSound',
	resources.map((resource) => ({
		...resource,
		operations: resource.operations.filter(({ value }) => value !== 'download'),
	})),
	cases,
	['search, Type, a choice of the user’s own'],
);

describe('VideoGenSound', () => {
	const service = useService({ linkSeconds: 600 });

	const search = async (more: INodeParameters = {}) =>
		await runNode(service, 'VideoGenSound', {
			operation: 'search',
			query: 'calm piano',
			type: 'music',
			...few,
			...more,
		});
	const download: INodeParameters = {
		operation: 'download',
		audio_url: '={{ $json.audio_url }}',
		binaryPropertyName: 'music',
	};

	test('downloads every byte of the search results without the credential', async () => {
		const found = await search();
		const { items, error } = await runNode(service, 'VideoGenSound', download, {
			items: found.items,
		});
		expect(error).toBeUndefined();
		expect(items).toHaveLength(3);
		for (const [i, item] of items.entries()) {
			expect(item.json).toEqual(found.items[i]?.json);
			expect(item.pairedItem).toEqual({ item: i });
			expect(item.binary?.music).toMatchObject({
				fileName: `${item.json.name}.wav`,
				mimeType: 'audio/wav',
			});
			expect((await readContent(item, 'music')).equals(wav)).toBe(true);
		}
		const files = service.control.requests({ path: /^\/media\// });
		for (const { headers } of files) expect(headers['x-api-key']).toBeUndefined();
	});

	test('names the file after the option, the sound or its ID', async () => {
		const found = await search({ limit: 1 });
		const [item] = found.items;
		for (const [name, options, fileName] of [
			['Tick: a/b', {}, 'Tick a b.wav'],
			['', {}, `${String(item?.json.id)}.wav`],
			// The extension is that of the file.
			['Tick', { fileName: 'song.mp3' }, 'song.wav'],
		] as const) {
			const { items } = await runNode(
				service,
				'VideoGenSound',
				{ ...download, options },
				{ items: [{ json: { ...item?.json, name } }] },
			);
			expect(items[0]?.binary?.music?.fileName).toBe(fileName);
		}
	});

	test('an expired URL is an error with the advice to search again', async () => {
		const found = await search({ limit: 1 });
		service.control.clock.advance(601);
		const { error } = await runNode(service, 'VideoGenSound', download, { items: found.items });
		expect(error?.message).toBe("The sound's URL has expired (HTTP status 403)");
		expect(error?.description).toContain('Search again');
		const continued = await runNode(service, 'VideoGenSound', download, {
			items: found.items,
			node: { onError: 'continueRegularOutput' },
		});
		expect(continued.items[0]).toMatchObject({
			pairedItem: { item: 0 },
			json: { details: { code: 'address_expired', status: 403 } },
		});
	});

	test('an incomplete file is an error', async () => {
		const found = await search({ limit: 1 });
		service.control.truncateMedia(true);
		const { error } = await runNode(service, 'VideoGenSound', download, { items: found.items });
		expect(error?.message).toMatch(/incomplete|lost/);
	});

	test.each([
		['={{ $json.nothing }}', '"Audio URL" is empty'],
		['calm.wav', '"Audio URL" must be a full URL'],
		['file:///etc/hosts', '"Audio URL" must begin with https://'],
	])('rejects the URL %s', async (audio_url, message) => {
		const { error } = await runNode(service, 'VideoGenSound', { ...download, audio_url });
		expect(error?.message).toContain(message);
		expect(service.control.requests()).toHaveLength(0);
	});
});
