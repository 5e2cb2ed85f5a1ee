/** Status replies are classified as the table in service.md, States, says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { decideJobState } from '../../../nodes/core/jobs/jobState';
import type { JobKind } from '../../../nodes/core/jobs/types';
import * as jobs from '../../../nodes/jobKinds/catalog';
import { createRandom } from '../../../simulator/faults';
import { projectRoot } from '../../../tools/install';
import { readTableCells } from '../../../tools/pages';

const page = readFileSync(join(projectRoot, 'docs', 'contributing', 'service.md'), 'utf8');
const [, table = ''] = page.split(
	'The first row that matches a status response determines the state.',
);
const rows = readTableCells(table.slice(0, table.indexOf('| Kind of job'))).slice(2);

/** The words between backticks in the row that begins like this, and the state of the row. */
function readRow(begin: string) {
	const [cell = '', state = ''] = rows.find(([one]) => one?.startsWith(begin)) ?? [];
	const words = [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word ?? '');
	if (words.length === 0) throw new Error(`The table has no row "${begin}"`);
	return { words, state: /^\w+/.exec(state)?.[0] };
}

const next = createRandom(7);
const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;

/** The word in other cases, and with spaces around it. */
const disguise = (word: string) =>
	pick([word, word.toUpperCase(), ` ${word}`, `${word[0]?.toUpperCase()}${word.slice(1)}\n`]);

const kinds = Object.values<JobKind>(jobs);
const withUrl = kinds.filter(({ resultUrls = [] }) => resultUrls.length > 0);
const withoutUrl = kinds.filter(({ resultUrls = [] }) => resultUrls.length === 0);
const withoutUrlOrRows = withoutUrl.filter(({ rows }) => !rows);
const ownWords = ({ completed, failed, resting = [], pending = [] }: JobKind) =>
	[...completed, ...failed, ...resting, ...pending].map((word) => word.toLowerCase());

const completed = readRow('Status word: `completed`');
const failed = readRow('Status word: `failed`');
const pending = readRow('Status word: `pending`');
const ready = readRow('Status word, for a kind of job');
const fragments = readRow('Word that contains');
const failures = readRow('Code or reason');
const counts = readRow('`counts_by_status`');
const endTime = readRow('`completed_at`');
const rest = readRow('Anything else');

const isPrefix = (word: string) => word.endsWith('_');
const failureKeys = failures.words.filter((word) => /error|failure/.test(word));
const harmless = ['', null, 0, ...failures.words.filter((word) => !failureKeys.includes(word))];

const url = (kind: JobKind): IDataObject =>
	Object.fromEntries((kind.resultUrls ?? []).map((key) => [key, 'https://x.example/1']));
const failure = (value: unknown): IDataObject => {
	const key = pick(failureKeys);
	return {
		[key]: key === 'error' && next() < 0.5 ? { code: value, message: value } : value,
	} as IDataObject;
};
/** Values that decide nothing. */
const noise = (): IDataObject => ({
	...failure(pick(harmless)),
	...pick<IDataObject>([{}, { progress: 100 }, { progress: 3 }, { title: 'failed' }]),
});
const unknownWord = () => pick(['polishing', 'finalizing', 'stage_2', 'wrapping up']);

/** Replies for each row of the table. */
const makers: Array<[string, string | undefined, () => [JobKind, IDataObject]]> = [
	[
		'a word for success',
		completed.state,
		() => [pick(kinds), { ...failure('x'), status: disguise(pick(completed.words)) }],
	],
	[
		'a word for failure',
		failed.state,
		() => [pick(kinds), { ...noise(), status: disguise(pick(failed.words)) }],
	],
	[
		'a word for work under way',
		pending.state,
		() => {
			const kind = pick(kinds);
			return [
				kind,
				{
					...url(kind),
					...failure('x'),
					progress: 100,
					completed_at: 1,
					status: disguise(pick(pending.words)),
				},
			];
		},
	],
	[
		'a word for a result without a URL',
		ready.state,
		() => {
			const word = pick(ready.words);
			return [
				pick(withoutUrlOrRows),
				{ ...noise(), status: disguise(isPrefix(word) ? `${word}errors` : word) },
			];
		},
	],
	[
		'the same word without its URL',
		rest.state,
		() => [
			pick(withUrl),
			{ ...noise(), status: disguise(pick(['ready', 'completed_with_errors'])) },
		],
	],
	[
		'a word that resembles one for failure',
		fragments.state,
		() => {
			const word = pick(fragments.words.filter((one) => !isPrefix(one)));
			return [
				pick(kinds),
				{ ...noise(), status: disguise(pick([`import_${word}`, `${word}ed`, `x ${word} y`])) },
			];
		},
	],
	[
		'a failure',
		failures.state,
		() => [
			pick(kinds),
			{ ...failure('render_lost'), ...pick<IDataObject>([{}, { status: unknownWord() }]) },
		],
	],
	[
		'ended items',
		counts.state,
		() => [
			pick(kinds),
			{
				...noise(),
				status: unknownWord(),
				total_items: 3,
				counts_by_status: { completed: 2, FAILED: 1 },
			},
		],
	],
	[
		'a result URL',
		readRow('Result URL').state,
		() => {
			const kind = pick(withUrl);
			return [kind, { ...noise(), status: unknownWord(), ...url(kind) }];
		},
	],
	[
		'an end without a URL',
		endTime.state,
		() => [
			pick(withoutUrl),
			{
				...noise(),
				status: unknownWord(),
				completed_at: pick(['2026-11-23T10:00:00Z', 1_790_000_000]),
			},
		],
	],
	[
		'nothing that decides',
		rest.state,
		() => [
			pick(kinds),
			{
				...noise(),
				...pick<IDataObject>([{}, { status: unknownWord() }, { status: null }]),
				progress: 100,
			},
		],
	],
];

const perRow = Math.ceil(500 / makers.length);

test.each(makers)('%s means %s', (_, state, make) => {
	const wrong: unknown[] = [];
	for (let i = 0; i < perRow; i++) {
		const [kind, reply] = make();
		// Its own words come first.
		if (ownWords(kind).includes(String(reply.status).trim().toLowerCase())) continue;
		const read = decideJobState(kind, reply);
		if (read !== state) wrong.push({ kind: kind.name, reply, read });
	}
	expect(wrong).toEqual([]);
});
