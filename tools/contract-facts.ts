/**
 * What saved workflows rely on, as lines of text: one fact each, in an order of their own, so that
 * moving code about changes none.
 *
 *   videoGenVideo v1 [operation=getMany, returnAll=false] limit: number, default 50
 *   └ node and version └ when it is there                 └ path └ type; n8n stores no default
 *   videoGenVideo v1 [operation=download] file = video_url
 *                                              └ a choice
 */
import {
	type ICredentialType,
	type IDisplayOptions,
	type INodeProperties,
	type INodePropertyOptions,
	type INodeTypeDescription,
	NodeHelpers,
} from 'n8n-workflow';

export interface Fact {
	line: string;
	/**
	 * For a field that users must fill: other lines, or their beginnings up to a colon and space.
	 * Where a contract has them all, saved workflows reach the field, and have no value for it.
	 */
	reachedBy?: string[];
}

/** A version of a node, or a credential. */
interface Subject {
	name: string;
	version?: number;
}

/** Values of deciding parameters, by their full paths, under which something is there. */
type Place = Readonly<Record<string, string>>;

/** A property at one place. */
interface Declared {
	property: INodeProperties;
	path: string;
	place: Place;
	/** The lines of what it stands in, as in `reachedBy`. */
	within: string[];
}

/** Texts that may become better: workflows that left them alone get the new ones, and no more. */
const forReading = new Set(['toolDescription']);

/** They only show something. */
const storesNothing = new Set(['notice', 'callout', 'button']);

/** JSON with its keys in order, so that their order in the code does not matter. */
const json = (value: unknown): string =>
	JSON.stringify(value, (_, inner: unknown) =>
		inner !== null && typeof inner === 'object' && !Array.isArray(inner)
			? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
			: inner,
	) ?? 'none';

/** A value of a choice: JSON, but plain words without quotes. */
const plain = (value: unknown): string =>
	typeof value === 'string' && /^(?!(?:true|false|null)$)[A-Za-z][\w-]*$/.test(value)
		? value
		: json(value);

const inside = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);

/** The full path of the parameter that a condition names, found as n8n finds it. */
function decider(key: string, path: string): string {
	if (key.startsWith('/')) return key.slice(1);
	return key.startsWith('@') ? key : inside(path, key);
}

/** Every combination of values under which all conditions hold; none where the version forbids it. */
function places(
	{ show, hide }: IDisplayOptions = {},
	path: string,
	outer: Place,
	{ version = 1 }: Subject,
): Place[] {
	const isVersion = (wanted: NonNullable<typeof show>['@version']) =>
		NodeHelpers.checkConditions(wanted ?? [], [version]);
	if (hide?.['@version'] && isVersion(hide['@version'] as number[])) return [];
	let found = [outer];
	for (const [key, values = []] of Object.entries(show ?? {})) {
		if (key === '@version') {
			if (!isVersion(values as number[])) return [];
			continue;
		}
		const name = decider(key, path);
		found = found.flatMap((place) =>
			values
				.map(plain)
				.filter((value) => (place[name] ?? value) === value)
				.map((value) => ({ ...place, [name]: value })),
		);
	}
	return found;
}

/** One condition that holds is enough to hide. */
function hiddenBy({ hide }: IDisplayOptions = {}, path: string): string {
	const conditions = Object.entries(hide ?? {})
		.filter(([key]) => key !== '@version')
		.flatMap(([key, values = []]) => values.map((one) => `${decider(key, path)}=${plain(one)}`));
	return conditions.length > 0 ? `, hidden if ${conditions.sort().join(' or ')}` : '';
}

/** What a line is about, in parts. */
function keyParts({ name, version }: Subject, place: Place, path: string): string[] {
	const { resource, operation, ...others } = place;
	const conditions = [
		...(resource === undefined ? [] : [`resource=${resource}`]),
		...(operation === undefined ? [] : [`operation=${operation}`]),
		...Object.entries(others)
			.map(([decides, value]) => `${decides}=${value}`)
			.sort(),
	];
	return [
		version === undefined ? name : `${name} v${version}`,
		conditions.length > 0 ? `[${conditions.join(', ')}]` : '',
		path,
	];
}

const keyOf = (subject: Subject, place: Place = {}, path = '') =>
	keyParts(subject, place, path).filter(Boolean).join(' ');

const groupLine = (key: string, name: string) => `${key}: group ${name}`;

function declarations(
	subject: Subject,
	properties: readonly INodeProperties[],
	outer: Omit<Declared, 'property'>,
): Declared[] {
	return properties
		.filter(({ type }) => !storesNothing.has(type))
		.flatMap((property) =>
			places(property.displayOptions, outer.path, outer.place, subject).flatMap((place) => {
				const path = inside(outer.path, property.name);
				const key = keyOf(subject, place, path);
				const nested = (property.options ?? []).flatMap((option) => {
					const inner = inside(path, option.name);
					if ('values' in option) {
						const within = [...outer.within, groupLine(key, option.name)];
						return declarations(subject, option.values, { path: inner, place, within });
					}
					if (!('type' in option)) return [];
					// Required or not: no workflow lacks an option that it never had.
					const within = [...outer.within, `${keyOf(subject, place, inner)}: `];
					return declarations(subject, [option], { path, place, within });
				});
				return [{ property, path, place, within: outer.within }, ...nested];
			}),
		);
}

/** The path of what a parameter stands in. */
const above = (path: string) => path.split('.').slice(0, -1).join('.');

/** The lines of the choices that a parameter offers. */
function choicesOf(
	subject: Subject,
	{ property, place, path }: Declared,
): Array<{ value: string; place: Place; line: string }> {
	if (!['options', 'multiOptions'].includes(property.type)) return [];
	return ((property.options ?? []) as INodePropertyOptions[]).flatMap((choice) => {
		const value = plain(choice.value);
		const hidden = hiddenBy(choice.displayOptions, above(path));
		return places(choice.displayOptions, above(path), place, subject).map((where) => ({
			value,
			place: where,
			line: `${keyOf(subject, where, path)} = ${value}${hidden}`,
		}));
	});
}

/** Whether both can be so at the same time. */
const agree = (one: Place, other: Place) =>
	Object.entries(one).every(([name, value]) => (other[name] ?? value) === value);

/**
 * The lines that lead to a place, as in `reachedBy`. Undefined where none do, because a condition
 * names a choice that is not offered there: of two lists of values, not all combinations exist.
 */
function waysTo(subject: Subject, place: Place, all: readonly Declared[]): string[] | undefined {
	const ways: string[] = [];
	for (const [name, value] of Object.entries(place)) {
		if (name.startsWith('@')) continue;
		const way = all
			.filter((one) => one.path === name && agree(one.place, place))
			.map((one) => {
				const choices = choicesOf(subject, one);
				if (choices.length === 0) return `${keyOf(subject, one.place, name)}: `;
				return choices.find((one) => one.value === value && agree(one.place, place))?.line;
			})
			.find((line) => line !== undefined);
		if (way === undefined) return undefined;
		ways.push(way);
	}
	return ways;
}

function isEmpty(value: unknown): boolean {
	if (value === undefined || value === null || value === '') return true;
	if (Array.isArray(value)) return value.length === 0;
	if (typeof value !== 'object') return false;
	return 'value' in value ? isEmpty(value.value) : Object.keys(value).length === 0;
}

/** The parameter itself, then what it offers. */
function parameterFacts(subject: Subject, one: Declared, ways: string[]): Fact[] {
	const { type, typeOptions, required, extractValue, modes = [], options = [] } = one.property;
	const key = keyOf(subject, one.place, one.path);
	const mapper = typeOptions?.resourceMapper;
	const traits = [
		typeOptions?.multipleValues ? `list of ${type}` : type,
		...(forReading.has(one.property.name) ? [] : [`default ${json(one.property.default)}`]),
		...(required ? ['required'] : []),
		...(mapper ? [`maps to ${mapper.mode}`] : []),
		...(mapper && mapper.supportAutoMap !== false ? ['may map by itself'] : []),
		...(extractValue ? [`extracts ${json(extractValue)}`] : []),
	];
	const mustBeFilled = required === true && isEmpty(one.property.default);
	const offers = [
		...choicesOf(subject, one).map(({ line }) => line),
		...modes.map(
			({ name, type: input, extractValue: extracts }) =>
				`${key}: mode ${name}, ${input}${extracts ? `, extracts ${json(extracts)}` : ''}`,
		),
		...options.filter((option) => 'values' in option).map(({ name }) => groupLine(key, name)),
	];
	return [
		{
			line: `${key}: ${traits.join(', ')}${hiddenBy(one.property.displayOptions, above(one.path))}`,
			...(mustBeFilled && { reachedBy: [...one.within, ...ways] }),
		},
		...offers.sort().map((line) => ({ line })),
	];
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function propertyFacts(subject: Subject, properties: readonly INodeProperties[]): Fact[] {
	const all = declarations(subject, properties, { path: '', place: {}, within: [] });
	const found = all.flatMap((one) => {
		const ways = waysTo(subject, one.place, all);
		return ways ? [{ one, ways, parts: keyParts(subject, one.place, one.path) }] : [];
	});
	const shown = new Set(found.map(({ one }) => one.property));
	const lost = all.find(({ property }) => !shown.has(property));
	if (lost) {
		const key = keyOf(subject, lost.place, lost.path);
		throw new Error(`${key} is never shown: its conditions name choices that do not exist.`);
	}
	return found
		.sort(({ parts: [, a1 = '', a2 = ''] }, { parts: [, b1 = '', b2 = ''] }) => {
			return compare(a1, b1) || compare(a2, b2);
		})
		.flatMap(({ one, ways }) => parameterFacts(subject, one, [`${keyOf(subject)}: `, ...ways]));
}

/** Inputs or outputs: connections name them by their numbers. */
function connections(word: string, ends: INodeTypeDescription['inputs' | 'outputs']): string[] {
	if (typeof ends === 'string') return [`${word}s ${ends}`];
	return ends.map((end, index) => `${word} ${index} ${typeof end === 'string' ? end : end.type}`);
}

function versionFacts(description: INodeTypeDescription, subject: Subject): Fact[] {
	const { inputs, outputs, credentials = [], webhooks = [] } = description;
	const own = [
		'node type',
		...connections('input', inputs),
		...connections('output', outputs),
		...(description.usableAsTool ? ['usable as a tool'] : []),
		...webhooks.map((one) => `webhook ${one.name}, ${one.httpMethod} ${json(one.path)}`),
	];
	const access = credentials.flatMap(({ name, displayOptions, required }) =>
		places(displayOptions, '', {}, subject).map(
			(place) =>
				`${keyOf(subject, place)}: credential ${name}${required ? ', required' : ''}` +
				hiddenBy(displayOptions, ''),
		),
	);
	return [
		...own.map((text) => ({ line: `${keyOf(subject)}: ${text}` })),
		...access.map((line) => ({ line })),
		...propertyFacts(subject, description.properties),
	];
}

/** What saved nodes of this type rely on, for each version. */
export const nodeFacts = (description: INodeTypeDescription): Fact[] =>
	[description.version]
		.flat()
		.flatMap((version) => versionFacts(description, { name: description.name, version }));

/** What saved credentials of this type rely on. */
export function credentialFacts(type: ICredentialType): Fact[] {
	const subject = { name: `credential ${type.name}` };
	const own = ['credential type', ...(type.extends ?? []).map((parent) => `extends ${parent}`)];
	return [
		...own.map((text) => ({ line: `${keyOf(subject)}: ${text}` })),
		...propertyFacts(subject, type.properties),
	];
}
