/** The contract of an invented node: its facts, its file, and the changes that it rejects. */
import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import {
	type Fact,
	listCredentialFacts,
	listNodeFacts,
	parseContract,
	renderContract,
	renderFact,
} from '../../tools/contract';
import {
	type AcceptedChange,
	contractFile,
	judge,
	renderComplaints,
} from '../../tools/contractChanges';

const field = (name: string, more: Partial<INodeProperties> = {}): INodeProperties => ({
	displayName: name,
	name,
	type: 'string',
	default: '',
	...more,
});

const required = (name: string, more: Partial<INodeProperties> = {}) =>
	field(name, { required: true, ...more });

const choice = (name: string, values: string[], more: Partial<INodeProperties> = {}) =>
	field(name, {
		type: 'options',
		default: values[0],
		options: values.map((value) => ({ name: value, value })),
		...more,
	});

const shown = (show: NonNullable<INodeProperties['displayOptions']>['show']) => ({
	displayOptions: { show },
});

const limited = { operation: ['list'], returnAll: [false] };
const mapper = { mode: 'add', resourceMapperMethod: 'columns' } as const;

/** A letter with a paper, or a parcel with a content. */
const properties: INodeProperties[] = [
	choice('operation', ['write', 'pack', 'list']),
	choice('paper', ['white', 'blue'], shown({ operation: ['write'] })),
	field('text', { required: true, ...shown({ operation: ['write'], paper: ['white'] }) }),
	field('returnAll', { type: 'boolean', default: false, ...shown({ operation: ['list'] }) }),
	field('limit', { type: 'number', default: 50, ...shown(limited) }),
	field('hint', { type: 'notice' }),
	field('contents', {
		type: 'fixedCollection',
		default: {},
		typeOptions: { multipleValues: true },
		...shown({ operation: ['pack'] }),
		options: [
			{
				displayName: 'Thing',
				name: 'thing',
				values: [
					choice('kind', ['book', 'toy']),
					field('pages', { type: 'number', default: 1, ...shown({ kind: ['book'] }) }),
					field('title', shown({ kind: ['book'], '/operation': ['pack'] })),
					field('weight', shown({ '/operation': ['pack', 'list'] })),
				],
			},
		],
	}),
	field('receiver', {
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		...shown({ operation: ['write', 'pack'] }),
		modes: [
			{ displayName: 'List', name: 'list', type: 'list' },
			{
				displayName: 'URL',
				name: 'url',
				type: 'string',
				extractValue: { type: 'regex', regex: '/(\\d+)' },
			},
		],
	}),
	field('columns', {
		type: 'resourceMapper',
		default: { mappingMode: 'defineBelow', value: null },
		typeOptions: { resourceMapper: mapper },
		...shown({ operation: ['pack'] }),
	}),
	field('options', {
		type: 'collection',
		default: {},
		options: [field('stamp', { default: 'red', displayOptions: { hide: { '/paper': ['blue'] } } })],
	}),
];

const node = (more: Partial<INodeTypeDescription> = {}): INodeTypeDescription => ({
	displayName: 'Post',
	name: 'post',
	group: ['transform'],
	version: 1,
	description: 'Sends things',
	defaults: { name: 'Post' },
	inputs: ['main'],
	outputs: ['main'],
	credentials: [{ name: 'postApi', required: true }],
	properties,
	...more,
});

const renderLines = (facts: readonly Fact[]) => facts.map(renderFact).sort();

const before = listNodeFacts(node());
const lines = renderLines(before);

/** A change of a property: other values, or the properties in its place. */
type Change = Partial<INodeProperties> | ((property: INodeProperties) => INodeProperties[]);

/** The properties with the one at the path changed. */
function changed(path: string, change: Change, all = properties): INodeProperties[] {
	const [name, ...rest] = path.split('.');
	const inner = rest.join('.');
	return all.flatMap((property) => {
		if (property.name !== name) return [property];
		if (inner === '') {
			return typeof change === 'function' ? change(property) : [{ ...property, ...change }];
		}
		const options = (property.options ?? []).flatMap(
			(option): INodeProperties['options'] & object =>
				'values' in option
					? [{ ...option, values: changed(inner, change, option.values) }]
					: changed(inner, change, [option as INodeProperties]),
		);
		return [{ ...property, options }];
	});
}

/** The properties with a further choice, option or group of the one at the path. */
const extended = (path: string, option: NonNullable<INodeProperties['options']>[number]) =>
	changed(path, (one) => [
		{ ...one, options: [...(one.options ?? []), option] } as INodeProperties,
	]);

function verdict(now: INodeTypeDescription, accepted: AcceptedChange[] = []) {
	const { rejected, unrecorded, invalid } = judge(listNodeFacts(now), lines, [], accepted);
	const factsOf = (wanted: string) =>
		rejected.filter(({ kind }) => kind === wanted).map(({ fact }) => fact);
	return { removed: factsOf('removed'), added: factsOf('added'), unrecorded, invalid };
}

/** The verdict on the node with these properties. */
const judged = (all: INodeProperties[], accepted?: AcceptedChange[]) =>
	verdict(node({ properties: all }), accepted);

const nothing = { removed: [], added: [], unrecorded: [], invalid: [] };

test('the contract file has a line for each parameter, below the conditions that show it', () => {
	const text = renderContract(before);
	expect(text.split('\n').filter((line) => !line.startsWith('#'))).toEqual([
		'post v1',
		'[]',
		'	(type): node | credential postApi, required | input 0 main | output 0 main',
		'	operation: options, default "write" | list | pack | write',
		'	options.stamp: string, default "red", hidden if paper=blue',
		'	options: collection, default {}',
		'[operation=list, returnAll=false]',
		'	limit: number, default 50',
		'[operation=list]',
		'	returnAll: boolean, default false',
		'[operation=pack, contents.thing.kind=book]',
		'	contents.thing.pages: number, default 1',
		'	contents.thing.title: string, default ""',
		'[operation=pack]',
		'	columns: resourceMapper, default {"mappingMode":"defineBelow","value":null}, maps to add, may map automatically',
		'	contents.thing.kind: options, default "book" | book | toy',
		'	contents.thing.weight: string, default ""',
		'	contents: list of fixedCollection, default {} | group thing',
		'[operation=pack]',
		'[operation=write]',
		'	receiver: resourceLocator, default {"mode":"list","value":""} | mode list, list | mode url, string, extracts {"regex":"/(\\\\d+)","type":"regex"}',
		'[operation=write, paper=white]',
		'	text: string, default "", required',
		'[operation=write]',
		'	paper: options, default "white" | blue | white',
		'',
	]);
	expect(parseContract(text).sort()).toEqual(lines);
	expect(parseContract(text.replaceAll('\n', '\r\n')).sort()).toEqual(lines);
});

test('the facts of a credential', () => {
	const facts = listCredentialFacts({
		name: 'postApi',
		displayName: 'Post API',
		extends: ['oAuth2Api'],
		properties: [field('token', { required: true }), field('office', { default: 'north' })],
	});
	expect(renderLines(facts)).toEqual([
		'credential postApi (type) | extends oAuth2Api',
		'credential postApi (type): credential',
		'credential postApi office: string, default "north"',
		'credential postApi token: string, default "", required',
	]);
});

test('the order of code, of keys and of choices does not matter', () => {
	const mixed = changed('receiver', (one) => [
		{ ...one, default: { value: '', mode: 'list' }, modes: one.modes?.toReversed() },
	]);
	const turned = changed('paper', (one) => [{ ...one, options: one.options?.toReversed() }], mixed);
	expect(renderContract(listNodeFacts(node({ properties: turned.toReversed() })))).toBe(
		renderContract(before),
	);
});

test('a field has facts for the combinations that are offered, and depends on their choices', () => {
	const facts = listNodeFacts(
		node({
			properties: [
				choice('resource', ['letter', 'stamp']),
				choice('operation', ['write', 'get'], shown({ resource: ['letter'] })),
				choice('operation', ['get', 'list'], shown({ resource: ['stamp'] })),
				field('id', shown({ resource: ['letter', 'stamp'], operation: ['write', 'get'] })),
				required('price', shown({ operation: ['list'] })),
			],
		}),
	);
	expect(renderLines(facts).filter((line) => line.includes(' id:'))).toEqual([
		'post v1 [resource=letter, operation=get] id: string, default ""',
		'post v1 [resource=letter, operation=write] id: string, default ""',
		'post v1 [resource=stamp, operation=get] id: string, default ""',
	]);
	expect(facts.find(({ path }) => path === 'price')).toMatchObject({
		conditions: '[operation=list]',
		reachedBy: ['post v1 (type): ', 'post v1 [resource=stamp] operation | list'],
	});
});

test('throws for a field that no choice shows', () => {
	const lost = field('color', shown({ operation: ['write'], paper: ['grey'] }));
	expect(() => listNodeFacts(node({ properties: [...properties, lost] }))).toThrow(
		'post v1 [operation=write, paper=grey] color is never shown: its conditions name choices that do not exist.',
	);
});

const limit = 'post v1 [operation=list, returnAll=false] limit: number, default 50';
const columns =
	'post v1 [operation=pack] columns: resourceMapper, default {"mappingMode":"defineBelow","value":null}, maps to add, may map automatically';

test.each<[string, string, Change, ...string[]]>([
	['a changed default', 'limit', { default: 100 }, limit],
	[
		'a removed choice',
		'contents.kind',
		({ options, ...one }) => [{ ...one, options: options?.slice(0, 1) }],
		'post v1 [operation=pack] contents.thing.kind | toy',
	],
	[
		'another show condition',
		'text',
		shown({ operation: ['write'], paper: ['blue'] }),
		'post v1 [operation=write, paper=white] text: string, default "", required',
	],
	['a removed field', 'columns', () => [], columns],
])('rejects %s', (_, path, change, ...removed) => {
	const now = changed(path, change);
	expect(judged(now).removed).toEqual(removed);
	const accepted = [{ reason: 'The service does not know it any more', removed }];
	expect(judged(now, accepted)).toMatchObject({ removed: [], invalid: [] });
});

test.each([
	['another name', { name: 'mail' }, lines],
	['a removed version', { version: 2 }, lines],
] satisfies Array<[string, Partial<INodeTypeDescription>, string[]]>)(
	'rejects a node with %s',
	(_, change, removed) => {
		expect(verdict(node(change)).removed).toEqual(removed);
	},
);

test.each([
	['field', [...properties, field('sender')], 'post v1 sender: string, default ""'],
	[
		'option',
		extended('options', field('express', { required: true })),
		'post v1 options.express: string, default "", required',
	],
])('accepts a new %s', (_, now, line) => {
	expect(judged(now)).toEqual({ ...nothing, unrecorded: [line] });
});

test('accepts any change in a new version, and rejects changes of the old one', () => {
	const limits = (old: number) =>
		changed('limit', (one) => {
			const { show } = one.displayOptions ?? {};
			return [
				{ ...one, default: old, ...shown({ ...show, '@version': [1] }) },
				{ ...one, default: 100, ...shown({ ...show, '@version': [{ _cnd: { gte: 1.1 } }] }) },
			];
		});
	const found = verdict(node({ version: [1, 1.1], properties: limits(50) }));
	expect(found).toMatchObject({ removed: [], added: [] });
	expect(found.unrecorded).toHaveLength(lines.length);
	expect(found.unrecorded).toContain(
		'post v1.1 [operation=list, returnAll=false] limit: number, default 100',
	);
	const hidden = field('cover', { displayOptions: { hide: { '@version': [1] } } });
	expect(judged([...properties, hidden])).toEqual(nothing);
	expect(verdict(node({ version: [1, 1.1], properties: limits(49) })).removed).toEqual([limit]);
});

test('rejects a new required field that saved workflows reach', () => {
	const line = 'post v1 sender: string, default "", required';
	const now = [...properties, required('sender')];
	expect(judged(now)).toEqual({ ...nothing, added: [line] });
	expect(judged(now, [{ reason: 'The service asks for it', added: [line] }]).added).toEqual([]);

	// Reported once only.
	expect(judged(changed('text', { type: 'json' })).added).toEqual([]);

	const blue = required('sender', shown({ operation: ['write'], paper: ['blue'] }));
	expect(judged([...properties, blue]).added).toEqual([
		'post v1 [operation=write, paper=blue] sender: string, default "", required',
	]);
	const inThing = changed('contents.title', (one) => [one, required('isbn')]);
	expect(judged(inThing).added).toEqual([
		'post v1 [operation=pack] contents.thing.isbn: string, default "", required',
	]);
});

test.each([
	[
		'of a new choice whose name is the beginning of another name',
		[
			...extended('operation', { name: 'Wri', value: 'wri' }),
			required('ink', shown({ operation: ['wri'] })),
		],
	],
	['with a default', [...properties, required('sender', { default: 'me' })]],
])('accepts a new required field that saved workflows do not reach: %s', (_, now) => {
	expect(judged(now)).toMatchObject({ removed: [], added: [] });
});

test('compares with the release, whatever the file says', () => {
	const now = listNodeFacts(node({ properties: changed('columns', () => []) }));
	const file = now.map(renderFact);
	expect(renderComplaints(judge(now, file, [], []))).toEqual([]);
	const released = [{ name: 'the release', facts: lines }];
	const { rejected } = judge(now, file, released, []);
	expect(rejected).toEqual([
		expect.objectContaining({ kind: 'removed', baseline: 'the release', now: undefined }),
	]);
	expect(renderComplaints(judge(now, file, released, []))).toHaveLength(1);
});

test('an accepted change needs a reason, and must exist', () => {
	const removed = [limit];
	for (const reason of ['', ' ', undefined as unknown as string]) {
		const found = judged(changed('limit', { default: 100 }), [{ reason, removed }]);
		expect(found).toMatchObject({ removed, invalid: [`has no reason for ${limit}`] });
	}
	const idle = [{ reason: 'Because', removed, added: ['post v1 sender: string, default ""'] }];
	expect(verdict(node(), idle).invalid).toEqual([
		`lists as removed a fact that still exists: ${limit}`,
		'lists as added a fact that does not exist: post v1 sender: string, default ""',
	]);
});

test('complaints say how to fix the problem', () => {
	const all = [...changed('limit', { default: 100 }), required('sender'), field('note')];
	const now = listNodeFacts(node({ properties: all }));
	const [rejected = '', lacking, ...more] = renderComplaints(judge(now, lines, [], []));
	expect(more).toEqual([]);
	expect(rejected).toMatch(/^Saved workflows would break/);
	expect(rejected).toContain(
		`${contractFile} says otherwise:
  - post v1 [operation=list, returnAll=false] limit: number, default 50
  + post v1 [operation=list, returnAll=false] limit: number, default 100
They have no value for new required fields:
  + post v1 sender: string, default "", required
`,
	);
	const entry = JSON.parse(rejected.slice(rejected.indexOf('\n{'))) as AcceptedChange;
	expect(judge(now, lines, [], [{ ...entry, reason: 'Because' }]).rejected).toEqual([]);
	expect(lacking).toMatch(/^Run npm run generate: .* Commit what it adds/);
	expect(lacking).toContain('\n  + post v1 note: string, default ""');
});
