import assert from 'node:assert/strict';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { credentialType, packageName, saveCredential, withCredential } from '../../../tools/stage';
import type { Flow } from '../flow';
import { longestSilence, watchHealth } from '../health';
import { type HostileCase, startHostileService } from '../hostileService';
import { errorOf, itemsOf } from '../n8n';
import { byId, chain, start } from '../workflows';

/** Megabytes that n8n may take for a response: the longest speech is held twice. */
const mostMemory = 1_500;

const apiKey = 'sk-hostile-0123456789-abcdef';

interface Request {
	node: string;
	parameters: INodeParameters;
}

const video_id = byId('video_1');
const get: Request = { node: 'videoGenVideo', parameters: { operation: 'get', video_id } };
const list: Request = {
	node: 'videoGenVideo',
	parameters: { operation: 'getMany', returnAll: true },
};
const account: Request = { node: 'videoGenAccount', parameters: { operation: 'getLegacy' } };
const download: Request = {
	node: 'videoGenVideo',
	parameters: { operation: 'download', video_id, binaryPropertyName: 'data' },
};
const speak: Request = {
	node: 'videoGenSpeech',
	parameters: {
		...{
			operation: 'synthesizeStreamed',
			voice_id: byId('voice_1'),
			text: 'Hello',
			language: 'en',
		},
		binaryPropertyName: 'data',
	},
};

/** Cases that end with an error, which this matches. */
const errors: Array<[HostileCase, Request, RegExp]> = [
	[
		'newTokens',
		list,
		/list is incomplete.*: more than 100,000 entries; entries read so far: 100,100 /,
	],
	['sameToken', list, /list is incomplete.*new token.*: entries read so far: 200 \(pages: 2\)/],
	['endlessText', get, /^The response is too large and was not read: it had more than 16 MB/],
	['nestedLists', get, /too large and was not read: it had more than 100 levels of nesting/],
	['nestedObjects', get, /too large and was not read: it had more than 100 levels of nesting/],
	['manyKeys', get, /too large and was not read: it had more than 100,000 values/],
	['manyTimes', get, /too large and was not read: it had more than 100,000 values/],
	['oddCode', account, /^The service rejected the request/],
	[
		'speech',
		speak,
		/^The speech is incomplete: \d+ parts of audio arrived, then .* it had more than 512 MB/,
	],
];

/** Cases that end after minutes without data. */
const silentErrors: typeof errors = [
	['comments', speak, /^The speech is incomplete: 0 parts .* no event arrived for 300 seconds/],
	['silentSpeech', speak, /^The speech is incomplete: 0 parts .* no data arrived for 300 seconds/],
	['stalledText', get, /^The connection was lost during .*: it took more than 30 seconds/],
	['stalledFile', download, /file is incomplete: 1000 of 1000000 bytes \(no data .* 60 seconds\)/],
];

export const flow: Flow = {
	name: 'a service whose responses never end stops neither n8n nor its health check',
	run: async (context) => {
		const { n8n } = await context.startOwn();
		const hostile = await startHostileService();

		const runCase = async (name: HostileCase, { node, parameters }: Request, seconds: number) => {
			const data = { apiKey, baseUrl: hostile.baseUrl(name) };
			const credential = await saveCredential(n8n, data, { name, type: credentialType });
			const own = { name: 'Own', type: `${packageName}.${node}`, parameters };
			const draft = withCredential(chain(name, [start, own]), credential);
			const { id } = await n8n.createWorkflow(draft);
			return await n8n.run(id, { timeoutMs: seconds * 1000 });
		};
		const expectError = async (
			[name, request, message]: (typeof errors)[number],
			seconds: number,
		) => {
			const run = await runCase(name, request, seconds);
			assert.match(String(errorOf(run)?.message), message, name);
		};
		const measure = async (what: string, act: () => Promise<void>) => {
			const stop = watchHealth(n8n);
			const begun = performance.now();
			await act();
			const seconds = Math.round((performance.now() - begun) / 100) / 10;
			const { silence, work, memory } = await stop();
			context.log(
				`${what}: ${seconds} s, ${work} ms of processor time (${silence} ms in one silence), ${memory} MB`,
			);
			assert.ok(silence < longestSilence, `${what}: silent for ${silence} ms of processor time`);
			assert.ok(memory < mostMemory, `${what}: ${memory} MB`);
		};

		try {
			for (const one of errors) await measure(one[0], async () => await expectError(one, 120));

			await measure('mostValues', async () => {
				const run = await runCase('mostValues', get, 60);
				const more = itemsOf(run, 'Own')[0]?.json.more as IDataObject;
				assert.equal(Object.keys(more).length, 99_000);
			});
			await measure('echo', async () => {
				const run = await runCase('echo', get, 60);
				const item = itemsOf(run, 'Own')[0]?.json;
				assert.equal(item?.key, '***');
				const decoded = Buffer.from(String(item.encoded), 'base64').toString();
				assert.ok(!decoded.includes(apiKey.slice(8, -8)), decoded);
			});
			const baseUrls = [hostile.baseUrl('endlessText'), { toString: 1, valueOf: 1 }];
			for (const baseUrl of baseUrls) {
				await measure(`the credential test with ${JSON.stringify(baseUrl)}`, async () => {
					const data = { apiKey, baseUrl };
					const tested = await n8n.testCredential({ name: 'Test', type: credentialType, data });
					assert.equal(tested.status, 'Error');
					assert.match(tested.message, /Base URL/);
				});
			}
			if (!context.isLong) return;
			await measure('silent streams', async () => {
				const ends = silentErrors.map(async (one) => await expectError(one, 600));
				for (const end of await Promise.allSettled(ends)) {
					if (end.status === 'rejected') throw end.reason;
				}
			});
		} finally {
			await hostile.close();
		}
	},
};
