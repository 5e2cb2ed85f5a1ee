/** Answers and values that no sane service or person gives, made up by chance from a seed. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { credentialType, type Stage } from '../../tools/stage';
import { itemsOf, type Execution } from '../e2e/n8n';
import { byId, chain, errorText, itemsNode, start, type Link } from '../e2e/workflows';
import { avatar, continued, numbered } from './creates';
import type { FaultContext, Row, Scenario } from './scenario';

export const title = 'Hostile responses and values';
export const columns = ['Given', 'Items', 'Readable errors', 'Seconds'];

const apiKey = 'sk-hostile-1234567890-abcdef';

type Random = () => number;

const pick = <T>(random: Random, list: readonly T[]): T =>
	list[Math.floor(random() * list.length)] as T;

const texts = (random: Random): string =>
	pick(random, [
		...['', ' ', 'null', 'NaN', '0', '-1', 'true', '\u0000', '\ud800', 'a\udc00b', '…'],
		...['🎬'.repeat(50), 'x'.repeat(20_000), 'ß'.repeat(3_000), String(random() * 1e9)],
		...['<script>alert(1)</script>', '../../etc/passwd', '%2e%2e%2f', '__proto__', 'constructor'],
		...["'; DROP TABLE executions; --", '{{ $json.secret }}', '={{ 1 + 1 }}', '\r\nX-Injected: 1'],
		'EPERM approvePermissions ECONNRESET',
	]);

const numbers = (random: Random): number =>
	pick(random, [0, -1, 1, 0.1, 1e308, -1e308, 2 ** 53, 5e-324, 4_294_967_296, random() * 1000]);

/** Some JSON value. */
function value(random: Random, depth = 0): unknown {
	const kind = Math.floor(random() * (depth > 4 ? 4 : 7));
	const many = Math.floor(random() * 4);
	switch (kind) {
		case 0:
			return null;
		case 1:
			return random() < 0.5;
		case 2:
			return numbers(random);
		case 3:
			return texts(random);
		case 4:
			return Array.from({ length: many }, () => value(random, depth + 1));
		default:
			return Object.fromEntries(
				Array.from({ length: many }, () => [texts(random).slice(0, 40), value(random, depth + 1)]),
			);
	}
}

/** An object with the keys of the service, and with unexpected values. */
function lookalike(random: Random): IDataObject {
	const keys = [
		...['id', 'video_id', 'status', 'title', 'video_url', 'progress', 'error', 'duration'],
		...['failure_code', 'failure_message', 'data', 'has_more', 'next_token', 'messages', 'code'],
	];
	const usual = { video_id: `v${Math.floor(random() * 1e6)}`, status: 'pending' };
	return Object.fromEntries([
		...Object.entries(usual).filter(() => random() < 0.5),
		...keys.filter(() => random() < 0.3).map((key) => [key, value(random)]),
	]) as IDataObject;
}

const deep = (levels: number) => `${'{"data":['.repeat(levels)}1${']}'.repeat(levels)}`;

/** A body, as bytes. */
function body(random: Random): Buffer {
	const json = (one: unknown) => Buffer.from(JSON.stringify(one) ?? '');
	switch (Math.floor(random() * 9)) {
		case 0:
			return json({ data: lookalike(random) });
		case 1:
			return json(value(random));
		case 2:
			return json({
				error: { ...lookalike(random), message: `No: ${apiKey}`, param: apiKey, code: apiKey },
			});
		case 3:
			return json({ data: lookalike(random) }).subarray(0, Math.floor(random() * 40));
		case 4:
			return Buffer.from(Array.from({ length: 200 }, () => Math.floor(random() * 256)));
		case 5:
			return Buffer.from(`<html><title>${texts(random)}</title></html>`);
		case 6:
			return Buffer.from(deep(2_000));
		case 7:
			return json({ error: value(random), data: value(random), message: value(random) });
		default:
			return Buffer.alloc(0);
	}
}

interface Answer {
	status: number;
	headers: Record<string, string>;
	body: Buffer;
	/** The connection ends without all of it. */
	cut: boolean;
}

function answer(random: Random): Answer {
	const content = body(random);
	const headers: Record<string, string> = {
		'content-type': pick(random, [
			...['application/json', 'text/html', 'image/png', 'nonsense'],
			'application/json; charset=utf-16',
		]),
	};
	if (random() < 0.2) headers['retry-after'] = pick(random, ['0', '-5', 'soon', '1e9', 'NaN', '']);
	if (random() < 0.1) headers['content-encoding'] = pick(random, ['gzip', 'br', 'nonsense']);
	if (random() < 0.1) headers.location = pick(random, ['/', 'file:///etc/passwd', '//']);
	const status = pick(
		random,
		[200, 200, 200, 201, 202, 204, 206, 301, 302, 304, 400, 402, 404, 409, 418, 422, 429, 500, 599],
	);
	return { status, headers, body: content, cut: random() < 0.15 };
}

/** Sends such a response, and from the third request for the same resource on, a plain rejection. */
function hostileServer(random: Random, special?: (path: string) => Answer | undefined) {
	const visits = new Map<string, number>();
	const first: Answer = {
		status: 200,
		headers: { 'content-type': 'application/json' },
		body: Buffer.from('{"data":{"id":"v0","video_id":"v0","status":"pending"}}'),
		cut: false,
	};
	return createServer((request: IncomingMessage, response: ServerResponse) => {
		request.resume();
		response.on('error', () => undefined);
		const place = `${request.method} ${request.url} ${request.headers['idempotency-key'] ?? ''}`;
		const visit = (visits.get(place) ?? 0) + 1;
		visits.set(place, visit);
		const path = new URL(request.url ?? '/', 'http://local').pathname;
		// The first response is valid, because a rejection of the account would stop all others.
		const made = visits.size === 1 && visit === 1 ? first : answer(random);
		const given = special?.(`${request.method} ${path}`) ?? made;
		if (visit > 2 && !special) {
			response.writeHead(404, { 'content-type': 'application/json' });
			response.end('{"error":{"code":"not_found","message":"Gone"}}');
			return;
		}
		const empty = given.status === 204 || given.status === 304;
		response.writeHead(given.status, {
			...given.headers,
			...(given.cut && !empty ? { 'content-length': String(given.body.length + 50) } : {}),
		});
		if (given.cut) response.write(given.body, () => response.destroy());
		else response.end(empty ? undefined : given.body);
	});
}

/** A credential for a server of the test's own, while something is done with it. */
async function against<T>(
	{ n8n }: Stage,
	server: ReturnType<typeof createServer>,
	act: (use: (draft: ReturnType<typeof chain>) => Promise<Execution>, origin: string) => Promise<T>,
): Promise<T> {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const reference = await n8n.createCredential(credentialType, `Hostile ${origin}`, {
		apiKey,
		baseUrl: origin,
	});
	try {
		return await act(async (draft) => {
			const nodes = draft.nodes.map((node) =>
				node.type.includes('videogen')
					? { ...node, credentials: { [credentialType]: reference } }
					: node,
			);
			const { id } = await n8n.createWorkflow({ ...draft, nodes });
			return await n8n.run(id, { timeoutMs: 240_000 });
		}, origin);
	} finally {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	}
}

/** What no person should read in an error. */
const unworded =
	/TypeError|RangeError|ReferenceError|Cannot read|is not a function|\[object Object\]|undefined|URI malformed|Maximum call/;

/** What is wrong with how items came out. */
function judged(
	id: string,
	what: string,
	execution: Execution,
	node: string,
	given: number,
	began: number,
	{ more = [], mayBeEmpty = false }: { more?: Array<string | false>; mayBeEmpty?: boolean } = {},
): Row {
	const items = itemsOf(execution, node);
	const errors = items.filter(({ json }) => typeof json.error === 'string' && 'details' in json);
	const odd = errors.find(({ json }) => unworded.test(String(json.error)));
	const leaking = errors.find(({ json }) => JSON.stringify(json).includes(apiKey));
	const paired = new Set(
		items
			.flatMap(({ pairedItem }) => [pairedItem].flat())
			.map((one) => (typeof one === 'object' ? one.item : one)),
	);
	return {
		id,
		what,
		cells: [
			given,
			items.length - errors.length,
			errors.length,
			Math.round((Date.now() - began) / 1000),
		],
		wrong: [
			execution.status !== 'success' && `${execution.status}: ${errorText(execution)}`,
			!mayBeEmpty && paired.size !== given && `${given - paired.size} items came to nothing`,
			odd !== undefined && `an error is not in words: ${String(odd.json.error).slice(0, 200)}`,
			leaking !== undefined && 'an error shows the API key',
			...more,
		].filter((one) => one !== false),
	};
}

const video = (parameters: INodeParameters): Link => ({
	name: 'Node',
	type: 'video',
	parameters,
	more: continued,
});

const atOnce = { requestsAtOnce: 50 };
const create = avatar({ advanced: atOnce });

const flow = (items: IDataObject[], link: Link) =>
	chain('Hostile', [start, ...itemsNode(items), link]);

async function answers(context: FaultContext): Promise<Row[]> {
	const stage = await context.shared();
	const count = context.short ? 60 : 200;
	const rows: Row[] = [];
	const get = { operation: 'get', video_id: byId('=v{{ $json.i }}'), options: atOnce };
	// Another limit each, so that each asks for something else.
	const limit = '={{ $json.i + 1 }}';
	const getMany = { operation: 'getMany', returnAll: false, limit, options: atOnce };
	for (const [id, what, parameters] of [
		['H1', 'responses to GET requests', get],
		['H2', 'responses to create requests', create],
		['H3', 'list pages', getMany],
	] as const) {
		const items = id === 'H3' ? 60 : count;
		const began = Date.now();
		const row = await against(stage, hostileServer(context.random), async (use) =>
			judged(
				id,
				`A hostile service returns ${items} generated ${what}: wrong types, truncated JSON, random bytes, web pages, 2,000 levels of nesting, false headers, and echoes of the API key.`,
				await use(flow(numbered(items), video(parameters))),
				'Node',
				items,
				began,
				// An empty list is a list.
				{ mayBeEmpty: id === 'H3' },
			),
		);
		rows.push(row);
	}
	return rows;
}

/** Jobs whose readings make no sense. */
async function readings(context: FaultContext): Promise<Row[]> {
	const stage = await context.shared();
	const count = context.short ? 20 : 60;
	const { random } = context;
	const json = (one: unknown): Answer => ({
		status: 200,
		headers: { 'content-type': 'application/json' },
		body: Buffer.from(JSON.stringify(one)),
		cut: random() < 0.1,
	});
	let made = 0;
	const server = hostileServer(random, (place) =>
		place.startsWith('POST')
			? { ...json({ data: { video_id: `v${made++}` } }), cut: false }
			: json({
					data: { ...lookalike(random), ...(random() < 0.3 ? { status: texts(random) } : {}) },
				}),
	);
	const began = Date.now();
	const link = video({
		...create,
		waitForCompletion: true,
		options: { waitTimeout: 0.15 },
		advanced: { ...atOnce, pollInterval: 1 },
	});
	const row = await against(stage, server, async (use) => {
		const execution = await use(flow(numbered(count), link));
		const unnamed = itemsOf(execution, 'Node').filter(
			({ json: item }) => !JSON.stringify(item).match(/"v\d+"|video v\d+/),
		).length;
		return judged(
			'H4',
			`A node waits for ${count} jobs for 9 seconds and receives generated status responses. Each outcome names its job.`,
			execution,
			'Node',
			count,
			began,
			{ more: [unnamed > 0 && `${unnamed} outcomes do not name their job`] },
		);
	});
	return [row];
}

/** Invalid files, from invalid URLs. */
async function downloads(context: FaultContext): Promise<Row[]> {
	const stage = await context.shared();
	const { random } = context;
	const kinds = [
		...['file:///etc/passwd', 'ftp://files.example/v.mp4', 'data:text/plain,a', 'http://', '', ' '],
		...['javascript:alert(1)', 'http://127.0.0.1:1/v.mp4', 'https://files.example.invalid/v.mp4'],
		...['/empty', '/page', '/message', '/cut', '/away', '/error', '/garbled'],
	];
	let origin = '';
	const server = createServer((request, response) => {
		request.resume();
		response.on('error', () => undefined);
		const path = new URL(request.url ?? '/', 'http://local').pathname;
		const number = /^\/v3\/videos\/v(\d+)$/.exec(path)?.[1];
		if (number !== undefined) {
			const address = kinds[Number(number)] ?? '';
			const url = address.startsWith('/') ? `${origin}${address}` : address;
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(
				JSON.stringify({ data: { id: `v${number}`, status: 'completed', video_url: url } }),
			);
			return;
		}
		const bytes = Buffer.from(Array.from({ length: 500 }, () => Math.floor(random() * 256)));
		switch (path) {
			case '/page':
				response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Log in</html>');
				return;
			case '/message':
				response.writeHead(200, { 'content-type': 'application/json' }).end('{"error":"gone"}');
				return;
			case '/cut':
				response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': '5000' });
				response.write(bytes, () => response.destroy());
				return;
			case '/away':
				response.writeHead(302, { location: 'file:///etc/passwd' }).end();
				return;
			case '/error':
				response.writeHead(403, { 'content-type': 'video/mp4' }).end(bytes);
				return;
			case '/garbled':
				response.writeHead(200, { 'content-type': 'video/mp4', 'content-encoding': 'gzip' });
				response.end(bytes);
				return;
			default:
				response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': '0' }).end();
		}
	});
	const began = Date.now();
	const row = await against(stage, server, async (use, address) => {
		origin = address;
		const link = video({
			operation: 'download',
			video_id: byId('=v{{ $json.i }}'),
			binaryPropertyName: 'data',
			options: atOnce,
		});
		const execution = await use(flow(numbered(kinds.length), link));
		const files = itemsOf(execution, 'Node').filter(({ binary }) => binary !== undefined).length;
		return judged(
			'H5',
			`None of ${kinds.length} broken downloads results in a file. The downloads are empty, truncated, garbled, redirected, web pages, JSON messages or errors, or come from file:, ftp:, data: or an unknown host.`,
			execution,
			'Node',
			kinds.length,
			began,
			{ more: [files > 0 && `${files} of them became files`] },
		);
	});
	return [row];
}

/** Values that expressions can give, in every kind of field. */
async function values(context: FaultContext): Promise<Row[]> {
	const stage = await context.shared();
	const { n8n, credential, simulator } = stage;
	const count = context.short ? 100 : 400;
	const fields = ['script', 'title', 'folder', 'key', 'speed', 'background', 'look', 'wait'];
	const items = Array.from({ length: count }, (_, i): IDataObject => {
		const field = fields[i % fields.length] ?? '';
		return { i, [field]: value(context.random) as never };
	});
	const given = (field: string, otherwise: string) =>
		`={{ '${field}' in $json ? $json.${field} : ${otherwise} }}`;
	const link = video({
		...create,
		avatar_id: byId(given('look', "'look_001_1'")),
		script: given('script', "'Hello, this is a long enough text.'"),
		advanced: { requestsAtOnce: 20 },
		options: {
			title: given('title', "'Title'"),
			folder_id: byId(given('folder', "'folder_001'")),
			idempotencyKey: given('key', "'key-' + $json.i"),
			waitTimeout: given('wait', '30'),
		},
	});
	const draft = flow(items, link);
	const nodes = draft.nodes.map((node) =>
		node.name === 'Node' ? { ...node, credentials: { [credentialType]: credential } } : node,
	);
	const began = Date.now();
	const { id } = await n8n.createWorkflow({ ...draft, nodes });
	const execution = await n8n.run(id, { timeoutMs: 240_000 });
	const good = itemsOf(execution, 'Node').filter(({ json }) => !json.error).length;
	const made = simulator.control.jobs('video').length;
	return [
		judged(
			'H6',
			`The look, script, title, folder, key and time limit of ${count} videos have generated values. Each row becomes a video or an error, and the number of videos created equals the number of items output.`,
			execution,
			'Node',
			count,
			began,
			{ more: [made !== good && `${made} videos were made, and ${good} items came out`] },
		),
	];
}

export const scenario: readonly Scenario[] = [
	{ name: 'made-up answers', short: true, run: answers },
	{ name: 'made-up readings of jobs', short: false, run: readings },
	{ name: 'files that are none', short: true, run: downloads },
	{ name: 'made-up values', short: true, run: values },
];
