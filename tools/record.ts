/* Records responses of the service, without what is private, as contract tests of its description. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
	checkResponse,
	listOperations,
	listSchemaProblems,
	readApi,
	resolve,
	type Problem,
} from '../simulator/api';
import { fail } from './child';
import { projectRoot } from './install';
import { readOptions } from './options';

const help = `Records responses of the service in test/recordings: every list and what its first row leads to, the account, a video
that is rejected, and a brand glossary that is created and deleted again. Nothing is generated, so nothing is charged.
Texts, IDs, URLs and numbers are replaced before they are stored. Fails if a response is not as simulator/openapi.yaml
describes it. The key is read from VIDEOGEN_API_KEY, so that it is in no list of processes and in no shell history.

  VIDEOGEN_API_KEY=… npm run record -- --url https://api.example.com
  VIDEOGEN_API_KEY=… npm run record -- --url https://api.example.com --folder FOLDER`;

export interface Recording {
	/** Request line in the API description. */
	line: string;
	status: number;
	response: unknown;
}

export const recordingsFolder = join(projectRoot, 'test', 'recordings');

const api = readApi();

/** Values that the API description lists. */
const knownValues = new Set<unknown>();
JSON.stringify(api, (key, value: unknown) => {
	if (key === 'enum' || key === 'examples' || key === 'const') {
		for (const known of [value].flat()) knownValues.add(known);
	}
	return value;
});

/** Fields that contain words of the service, such as states. Other texts may be private. */
const wordFields = /^(status|type|mode|role|code|lifecycle|category|event_type|.*_type|.*_status)$/;
const word = /^[\w.:-]{1,60}$/;
const isoTime = /^\d{4}-\d\d-\d\dT/;

/** Returns a copy of a value that keeps only keys, types, states and the format of texts. */
export function removePrivateValues(value: unknown, key = ''): unknown {
	if (Array.isArray(value)) return value.slice(0, 2).map((one) => removePrivateValues(one, key));
	if (typeof value === 'object' && value !== null) {
		return Object.fromEntries(
			Object.entries(value).map(([name, one]) => [name, removePrivateValues(one, name)]),
		);
	}
	if (typeof value === 'number')
		return Number.isInteger(value) ? Math.sign(value) : value > 0 ? 0.5 : -0.5;
	if (typeof value !== 'string') return value;
	if (knownValues.has(value) || (wordFields.test(key) && word.test(value))) return value;
	if (isoTime.test(value)) return '2026-01-01T00:00:00Z';
	return URL.canParse(value) ? 'https://example.com/file' : 'text';
}

const maxAttempts = 5;

function createCaller(baseUrl: string, key: string) {
	return async (method: string, path: string, body?: object) => {
		for (let attempt = 1; ; attempt++) {
			const response = await fetch(new URL(path, baseUrl), {
				method,
				redirect: 'manual',
				headers: { 'x-api-key': key, ...(body ? { 'content-type': 'application/json' } : {}) },
				signal: AbortSignal.timeout(30_000),
				...(body ? { body: JSON.stringify(body) } : {}),
			});
			const text = await response.text();
			if (response.status === 429 && attempt < maxAttempts) {
				await sleep(Math.min(Number(response.headers.get('retry-after') ?? 1), 60) * 1000);
				continue;
			}
			// An error page of a proxy is not a response of the service.
			const json: unknown = text === '' ? {} : JSON.parse(text);
			return { status: response.status, json };
		}
	};
}

type Row = Record<string, unknown>;

/** Returns the rows of a list, which are in `data`. */
function readRows(json: unknown): Row[] {
	const { data } = json as { data?: unknown };
	return Array.isArray(data) ? (data as Row[]) : [];
}

/** Returns values for the parameters that lists require. */
const requiredValues = (username: string): Record<string, string> => ({
	...{ query: 'music', type: 'image', username, limit: '2' },
});

const operations = listOperations(api).filter(({ operation }) => !operation['x-not-supported']);

function buildQuery(line: string, username: string): string {
	const { operation } = operations.find((one) => one.line === line) ?? {};
	const values = requiredValues(username);
	const query = (operation?.parameters ?? [])
		.map((parameter) => resolve(parameter))
		.filter(({ in: place, name, required }) => place === 'query' && (required || name === 'limit'))
		.map(({ name }) => `${name}=${encodeURIComponent(values[name] ?? '')}`);
	return query.length > 0 ? `?${query.join('&')}` : '';
}

/**
 * Returns the GET requests for lists, and for details by one ID. Omits streams and lookups of several
 * IDs.
 */
function listReads() {
	const reads = operations
		.filter(({ line, path }) => line.startsWith('GET ') && !/\/(statuses|words)$/.test(path))
		.map(({ line, path }) => ({ line, path, ids: path.match(/\{\w+\}/g) ?? [] }));
	return {
		lists: reads.filter(({ ids }) => ids.length === 0),
		details: reads.filter(({ ids }) => ids.length === 1),
	};
}

/** Calls the service, and returns its responses without private values. */
export async function record(baseUrl: string, key: string): Promise<Recording[]> {
	const call = createCaller(baseUrl, key);
	const recordings: Recording[] = [];
	const send = async (line: string, path: string, body?: object) => {
		const [method = ''] = line.split(' ');
		const { status, json } = await call(method, path, body);
		recordings.push({ line, status, response: removePrivateValues(json) });
		return json;
	};

	const account = (await send('GET /v3/users/me', '/v3/users/me')) as { data?: Row };
	const username = String(account.data?.username ?? '');
	const { lists, details } = listReads();
	const firstRows = new Map<string, Row>();
	for (const { line, path } of lists.filter((one) => one.line !== 'GET /v3/users/me')) {
		const [row] = readRows(await send(line, path + buildQuery(line, username)));
		if (row) firstRows.set(path, row);
	}
	for (const { line, path, ids } of details) {
		const [placeholder = ''] = ids;
		const row = firstRows.get(path.slice(0, path.indexOf(`/${placeholder}`)));
		const id = row?.[placeholder.slice(1, -1)] ?? row?.id;
		if (typeof id !== 'string') continue;
		await send(
			line,
			path.replace(placeholder, encodeURIComponent(id)) + buildQuery(line, username),
		);
	}

	await send('POST /v3/videos', '/v3/videos', {});
	const path = '/v3/brand-glossaries';
	const created = (await send(`POST ${path}`, path, { name: `Recording ${Date.now()}` })) as {
		data?: Row;
	};
	const id = created.data?.brand_glossary_id;
	if (typeof id === 'string') {
		await send(`DELETE ${path}/{brand_glossary_id}`, `${path}/${id}`);
	}
	return recordings;
}

function findProblem({ line, status, response }: Recording): Problem | undefined {
	return status < 300
		? checkResponse(line, status, response)
		: listSchemaProblems('Error', response)[0];
}

/** Returns a message for each recording that does not match the API description. */
export const listProblems = (recordings: readonly Recording[]): string[] =>
	recordings.flatMap((recording) => {
		const problem = findProblem(recording);
		if (!problem) return [];
		return [`${recording.line}: ${problem.path.join('.')} ${problem.message}`];
	});

/** Returns the recordings in a folder, or none if the folder does not exist. */
export const readRecordings = (folder: string): Recording[] =>
	existsSync(folder)
		? readdirSync(folder).map(
				(name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Recording,
			)
		: [];

const toFileName = (line: string) => `${line.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.json`;

function writeRecordings(folder: string, recordings: readonly Recording[]): void {
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	for (const recording of recordings) {
		const text = `${JSON.stringify(recording, null, '\t')}\n`;
		writeFileSync(join(folder, toFileName(recording.line)), text);
	}
}

async function main(): Promise<void> {
	const { values } = readOptions(help, { valued: ['--url', '--folder'] });
	const url = values.get('--url');
	const key = process.env.VIDEOGEN_API_KEY;
	if (!url || !key) throw new Error(`Give --url and VIDEOGEN_API_KEY.\n\n${help}`);
	const folder = values.get('--folder') ?? recordingsFolder;
	const recordings = await record(url, key);
	writeRecordings(folder, recordings);
	const problems = listProblems(recordings);
	for (const problem of problems) console.log(problem);
	console.log(
		`Recorded ${recordings.length} responses in ${relative(process.cwd(), folder)}, ${problems.length} of them not as described`,
	);
	if (problems.length > 0) process.exitCode = 1;
}

if (require.main === module) main().catch(fail);
