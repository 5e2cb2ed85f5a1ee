/** What a trigger remembers, and for which account. */
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { Client } from '../../nodes/core/http/client';
import {
	identifyAccount,
	readTriggerState,
	updateTriggerState,
	type AccountIdentity,
} from '../../nodes/shared/triggerState';

type Response = IDataObject | number;

/** A client whose service responds to `GET /v3/users/me` with a user, or with a status. */
function createClient(signIn: string, tokenDigest: string | undefined, response: Response) {
	const tryRequest = jest.fn(async () =>
		typeof response === 'number'
			? { ok: false, error: Object.assign(new Error('No'), { httpCode: String(response) }) }
			: { ok: true, reply: { data: response } },
	);
	return { client: { signIn, tokenDigest, tryRequest } as unknown as Client, tryRequest };
}

/** Identifies the account of a credential, and then of another one. */
async function identifyTwice(
	before: [signIn: string, token: string | undefined, response: Response],
	after: [signIn: string, token: string | undefined, response: Response],
) {
	const { account } = await identifyAccount(createClient(...before).client);
	const { client, tryRequest } = createClient(...after);
	const found = await identifyAccount(
		client,
		JSON.parse(JSON.stringify(account)) as AccountIdentity,
	);
	return { isKnown: found.isKnown, requests: tryRequest.mock.calls.length, ...found.account };
}

const ann = { username: 'ann' };
const bob = { username: 'bob' };

test.each<[string, Parameters<typeof identifyTwice>, boolean, number]>([
	[
		'the same API key',
		[
			['key 1', undefined, ann],
			['key 1', undefined, ann],
		],
		true,
		0,
	],
	[
		'another API key of the same user',
		[
			['key 1', undefined, ann],
			['key 2', undefined, ann],
		],
		true,
		1,
	],
	[
		'an API key of another user',
		[
			['key 1', undefined, ann],
			['key 2', undefined, bob],
		],
		false,
		1,
	],
	[
		'an API key that may not read the user',
		[
			['key 1', undefined, ann],
			['key 2', undefined, 403],
		],
		false,
		1,
	],
	[
		'the same access token',
		[
			['OAuth', 't1', ann],
			['OAuth', 't1', bob],
		],
		true,
		0,
	],
	[
		'a renewed access token',
		[
			['OAuth', 't1', ann],
			['OAuth', 't2', ann],
		],
		true,
		1,
	],
	[
		'an OAuth credential connected as another user',
		[
			['OAuth', 't1', ann],
			['OAuth', 't2', bob],
		],
		false,
		1,
	],
	[
		'a renewed token that may not read the user',
		[
			['OAuth', 't1', 403],
			['OAuth', 't2', 403],
		],
		true,
		1,
	],
])('%s: is the known account: %s', async (_, credentials, isKnown, requests) => {
	expect(await identifyTwice(...credentials)).toMatchObject({ isKnown, requests });
});

test('an outage keeps an account from being identified, and from counting as another one', async () => {
	await expect(identifyTwice(['OAuth', 't1', ann], ['OAuth', 't2', 503])).rejects.toThrow('No');
});

test('two triggers of a workflow keep their own state, also after one was renamed', () => {
	const staticData: IDataObject = {};
	const createTrigger = (id: string, name: string) =>
		({
			getNode: () => ({ id, name }),
			getWorkflowStaticData: () => staticData,
		}) as unknown as IPollFunctions;
	updateTriggerState(createTrigger('a', 'One'), { polling: 1 });
	updateTriggerState(createTrigger('b', 'Two'), { polling: 2 });
	updateTriggerState(createTrigger('a', 'Renamed'), { endpoint: 3 });
	expect(readTriggerState(createTrigger('a', 'Two'))).toEqual({ polling: 1, endpoint: 3 });
	expect(readTriggerState(createTrigger('b', 'One'))).toEqual({ polling: 2 });
});
