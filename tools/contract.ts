/**
 * The contract: facts that saved workflows rely on, read from the nodes and credentials, and
 * docs/contract.txt, which records them. A fact is one line of text:
 *
 *   videoGenVideo v1 [resource=video, operation=getMany, returnAll=false] limit: number, default 50
 *   └ node, version  └ conditions under which n8n shows the parameter     └ path └ type, default
 *   videoGenVideo v1 [resource=video, operation=download] file | video_url
 *                                                              └ choice, mode or group
 *
 * The file writes a parameter with all that it offers on one line, below every combination of
 * conditions that shows it. The order of the code does not matter.
 */
import {
	type ICredentialType,
	type IDisplayOptions,
	type INodeProperties,
	type INodePropertyOptions,
	type INodeTypeDescription,
	NodeHelpers,
} from 'n8n-workflow';
import { listNodeFolders } from './nodeFolders';
import { loadCredentials, loadNode } from './nodes';

/** Values of other parameters, by their full paths. */
type Conditions = Readonly<Record<string, string>>;

/** A version of a node, or a credential. */
interface Subject {
	name: string;
	version?: number;
}

export interface Fact {
	/** A version of a node, or a credential. */
	subject: string;
	/** Conditions in brackets. Empty if there are none. */
	conditions: string;
	/** Full path of the parameter; `(type)` for the node or credential as a whole. */
	path: string;
	/** `: type, traits` for the parameter itself, ` | choice` for what it offers. */
	text: string;
	/**
	 * Only for a required field: the facts that make n8n show it, or their beginnings up to `: `.
	 * Workflows saved under a contract with all of these facts show the field, but have no value for it.
	 */
	reachedBy?: string[];
}

/** A property under one combination of conditions. */
interface Declaration {
	property: INodeProperties;
	path: string;
	conditions: Conditions;
	/** Facts about the collections that contain the property, in the format of `reachedBy`. */
	within: string[];
}

/** Parameters whose default text may change: workflows that use the default just get the new text. */
const textParameters = new Set(['toolDescription']);

/** Types of properties that only display something and store no value. */
const displayTypes = new Set(['notice', 'callout', 'button']);

const typePath = '(type)';

const toJson = (value: unknown): string =>
	JSON.stringify(value, (_, inner: unknown) =>
		inner !== null && typeof inner === 'object' && !Array.isArray(inner)
			? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
			: inner,
	) ?? 'none';

/** Returns a choice as JSON, or without quotes if it is a plain word. */
const renderChoice = (value: unknown): string =>
	typeof value === 'string' && /^(?!(?:true|false|null)$)[A-Za-z][\w-]*$/.test(value)
		? value
		: toJson(value);

const joinPath = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);

const getParentPath = (path: string) => path.split('.').slice(0, -1).join('.');

/** Returns the full path of the parameter that a condition refers to, resolved the same way as in n8n. */
function resolveParameter(key: string, path: string): string {
	if (key.startsWith('/')) return key.slice(1);
	return key.startsWith('@') ? key : joinPath(path, key);
}

interface Conditional {
	displayOptions?: IDisplayOptions;
}

/** Returns all combinations of values for which n8n shows a property. None if this version hides it. */
function listConditions(
	{ displayOptions: { show, hide } = {} }: Conditional,
	path: string,
	outer: Conditions,
	{ version = 1 }: Subject,
): Conditions[] {
	const isVersion = (versions: NonNullable<typeof show>['@version']) =>
		NodeHelpers.checkConditions(versions ?? [], [version]);
	if (hide?.['@version'] && isVersion(hide['@version'] as number[])) return [];
	let combinations = [outer];
	for (const [key, values = []] of Object.entries(show ?? {})) {
		if (key === '@version') {
			if (!isVersion(values as number[])) return [];
			continue;
		}
		const name = resolveParameter(key, path);
		combinations = combinations.flatMap((conditions) =>
			values
				.map(renderChoice)
				.filter((value) => (conditions[name] ?? value) === value)
				.map((value) => ({ ...conditions, [name]: value })),
		);
	}
	return combinations;
}

/** Returns the conditions that hide a property. A single matching condition is enough. */
function renderHide({ displayOptions: { hide } = {} }: Conditional, path: string): string {
	const conditions = Object.entries(hide ?? {})
		.filter(([key]) => key !== '@version')
		.flatMap(([key, values = []]) =>
			values.map((value) => `${resolveParameter(key, path)}=${renderChoice(value)}`),
		);
	return conditions.length > 0 ? `, hidden if ${conditions.sort().join(' or ')}` : '';
}

const firstNames = ['operation', 'resource'];

function locate({ name, version }: Subject, conditions: Conditions, path: string): Fact {
	const parts = Object.entries(conditions)
		.sort(([a], [b]) => firstNames.indexOf(b) - firstNames.indexOf(a) || (a < b ? -1 : 1))
		.map(([decider, value]) => `${decider}=${value}`);
	return {
		subject: version === undefined ? `credential ${name}` : `${name} v${version}`,
		conditions: parts.length === 0 ? '' : `[${parts.join(', ')}]`,
		path,
		text: '',
	};
}

export const renderFact = ({ subject, conditions, path, text }: Fact) =>
	[subject, conditions, path].filter(Boolean).join(' ') + text;

function listDeclarations(
	subject: Subject,
	properties: readonly INodeProperties[],
	outer: Omit<Declaration, 'property'>,
): Declaration[] {
	return properties
		.filter(({ type }) => !displayTypes.has(type))
		.flatMap((property) => {
			const path = joinPath(outer.path, property.name);
			return listConditions(property, outer.path, outer.conditions, subject).flatMap(
				(conditions) => {
					const line = renderFact(locate(subject, conditions, path));
					const nested = (property.options ?? []).flatMap((option) => {
						if ('values' in option) {
							const within = [...outer.within, `${line} | group ${option.name}`];
							const inner = { path: joinPath(path, option.name), conditions, within };
							return listDeclarations(subject, option.values, inner);
						}
						if (!('type' in option)) return [];
						// Required or not: a workflow without this option needs no value for it.
						const within = [...outer.within, `${line}.${option.name}: `];
						return listDeclarations(subject, [option], { path, conditions, within });
					});
					return [{ property, path, conditions, within: outer.within }, ...nested];
				},
			);
		});
}

/** Returns a field's type. A hidden field with choices stores the same values as a visible one. */
const getStoredType = ({ type, options }: INodeProperties) =>
	type === 'hidden' && options ? 'options' : type;

/** Returns the choices that a parameter offers, each with its own conditions. */
function listChoices(subject: Subject, { property, conditions, path }: Declaration) {
	if (!['options', 'multiOptions'].includes(getStoredType(property))) return [];
	return ((property.options ?? []) as INodePropertyOptions[]).flatMap((choice) => {
		const parent = getParentPath(path);
		const value = renderChoice(choice.value);
		return listConditions(choice, parent, conditions, subject).map((own) => {
			const fact = locate(subject, own, path);
			return {
				value,
				conditions: own,
				fact: { ...fact, text: ` | ${value}${renderHide(choice, parent)}` },
			};
		});
	});
}

const areCompatible = (one: Conditions, other: Conditions) =>
	Object.entries(one).every(([name, value]) => (other[name] ?? value) === value);

/**
 * Returns the facts that make a combination of conditions possible, in the format of `reachedBy`. Returns
 * undefined if a condition requires a choice that is not offered under the other conditions.
 */
function findReasons(
	subject: Subject,
	conditions: Conditions,
	declarations: readonly Declaration[],
): string[] | undefined {
	const names = Object.keys(conditions).filter((name) => !name.startsWith('@'));
	const reasons = names.flatMap((name) => {
		const lines = declarations
			.filter((one) => one.path === name && areCompatible(one.conditions, conditions))
			.flatMap((one) => {
				const choices = listChoices(subject, one);
				if (choices.length === 0) return `${renderFact(locate(subject, one.conditions, name))}: `;
				const choice = choices.find(
					(each) => each.value === conditions[name] && areCompatible(each.conditions, conditions),
				);
				return choice ? renderFact(choice.fact) : [];
			});
		return lines.slice(0, 1);
	});
	return reasons.length === names.length ? reasons : undefined;
}

function isEmpty(value: unknown): boolean {
	if (value === undefined || value === null || value === '') return true;
	if (Array.isArray(value)) return value.length === 0;
	if (typeof value !== 'object') return false;
	return 'value' in value ? isEmpty(value.value) : Object.keys(value).length === 0;
}

/** Returns the facts of a parameter: first the parameter itself, then what it offers. */
function listParameterFacts(subject: Subject, one: Declaration, reachedBy: string[]): Fact[] {
	const { path, conditions, property } = one;
	const { typeOptions, required, extractValue, modes = [], options = [] } = property;
	const type = getStoredType(property);
	const mapper = typeOptions?.resourceMapper;
	const traits = [
		typeOptions?.multipleValues ? `list of ${type}` : type,
		...(textParameters.has(property.name) ? [] : [`default ${toJson(property.default)}`]),
		...(required ? ['required'] : []),
		...(mapper ? [`maps to ${mapper.mode}`] : []),
		...(mapper && mapper.supportAutoMap !== false ? ['may map automatically'] : []),
		...(extractValue ? [`extracts ${toJson(extractValue)}`] : []),
	].join(', ');
	const offers = [
		...modes.map(
			({ name, type: input, extractValue: extracts }) =>
				`mode ${name}, ${input}${extracts ? `, extracts ${toJson(extracts)}` : ''}`,
		),
		...options.filter((option) => 'values' in option).map(({ name }) => `group ${name}`),
	];
	const fact = locate(subject, conditions, path);
	const mustBeFilled = required === true && isEmpty(property.default);
	return [
		{
			...fact,
			text: `: ${traits}${renderHide(property, getParentPath(path))}`,
			...(mustBeFilled && { reachedBy: [...one.within, ...reachedBy] }),
		},
		...listChoices(subject, one).map((choice) => choice.fact),
		...offers.map((text) => ({ ...fact, text: ` | ${text}` })),
	];
}

function listPropertyFacts(subject: Subject, properties: readonly INodeProperties[]): Fact[] {
	const all = listDeclarations(subject, properties, { path: '', conditions: {}, within: [] });
	const reachable = all.flatMap((one) => {
		const reasons = findReasons(subject, one.conditions, all);
		return reasons ? [{ one, reasons }] : [];
	});
	const shown = new Set(reachable.map(({ one }) => one.property));
	const lost = all.find(({ property }) => !shown.has(property));
	if (lost) {
		const line = renderFact(locate(subject, lost.conditions, lost.path));
		throw new Error(`${line} is never shown: its conditions name choices that do not exist.`);
	}
	const type = `${renderFact(locate(subject, {}, typePath))}: `;
	return reachable.flatMap(({ one, reasons }) =>
		listParameterFacts(subject, one, [type, ...reasons]),
	);
}

/** Returns the texts of facts about inputs or outputs. Connections refer to these by number. */
function listConnections(word: string, ends: INodeTypeDescription['inputs' | 'outputs']): string[] {
	if (typeof ends === 'string') return [`${word}s ${ends}`];
	return ends.map((end, index) => `${word} ${index} ${typeof end === 'string' ? end : end.type}`);
}

function listVersionFacts(description: INodeTypeDescription, version: number): Fact[] {
	const { inputs, outputs, credentials = [], webhooks = [] } = description;
	const subject = { name: description.name, version };
	const fact = locate(subject, {}, typePath);
	const offers = [
		...listConnections('input', inputs),
		...listConnections('output', outputs),
		...(description.usableAsTool ? ['usable as a tool'] : []),
		...webhooks.map((one) => `webhook ${one.name}, ${one.httpMethod} ${toJson(one.path)}`),
	];
	const access = credentials.flatMap((credential) => {
		const required = credential.required ? ', required' : '';
		const text = ` | credential ${credential.name}${required}${renderHide(credential, '')}`;
		return listConditions(credential, '', {}, subject).map((conditions) => ({
			...locate(subject, conditions, typePath),
			text,
		}));
	});
	return [
		{ ...fact, text: ': node' },
		...offers.map((text) => ({ ...fact, text: ` | ${text}` })),
		...access,
		...listPropertyFacts(subject, description.properties),
	];
}

/** Returns the facts that saved nodes of this type rely on, for each version. */
export const listNodeFacts = (description: INodeTypeDescription): Fact[] =>
	[description.version].flat().flatMap((version) => listVersionFacts(description, version));

/** Returns the facts that saved credentials of this type rely on. */
export function listCredentialFacts({ name, extends: parents, properties }: ICredentialType) {
	const fact = locate({ name }, {}, typePath);
	return [
		{ ...fact, text: ': credential' },
		...(parents ?? []).map((parent) => ({ ...fact, text: ` | extends ${parent}` })),
		...listPropertyFacts({ name }, properties),
	];
}

/** Returns the facts of all nodes and credentials. Reads them from the sources, so no build is needed. */
export const readFacts = (): Fact[] => [
	...loadCredentials().flatMap(listCredentialFacts),
	...listNodeFolders().flatMap((folder) => listNodeFacts(loadNode(folder).description)),
];

const fileHeading = `# What saved workflows rely on: types, defaults, choices and conditions of all nodes and credentials.
# Made by \`npm run generate\`. Removing or changing a fact breaks saved workflows: it needs an entry with
# the reason in contract-changes.json. Parameters are below the conditions that show them.
`;

function groupBy<T>(
	all: readonly T[],
	keyOf: (one: T) => string,
): Array<[key: string, group: T[]]> {
	const groups = new Map<string, T[]>();
	for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
	return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

export function renderContract(facts: readonly Fact[]): string {
	const subjects = groupBy(facts, ({ subject }) => subject).map(([subject, own]) => {
		const parameters = groupBy(own, ({ path, conditions }) => `${path} ${conditions}`).map(
			([key, group]) => {
				const texts = group.map(({ text }) => text);
				// The parameter itself comes first: a colon sorts before a bar.
				texts.sort((a, b) => (a.trim() < b.trim() ? -1 : 1));
				const [path = ''] = key.split(' ');
				return { line: `\t${path}${texts.join('')}`, conditions: key.slice(path.length + 1) };
			},
		);
		const lines = groupBy(parameters, ({ line }) => line).map(([line, group]) => ({
			line,
			conditions: group.map(({ conditions }) => conditions || '[]').join('\n'),
		}));
		const sections = groupBy(lines, ({ conditions }) => conditions);
		return [
			subject,
			...sections.flatMap(([conditions, group]) => [conditions, ...group.map(({ line }) => line)]),
		];
	});
	return `${fileHeading}${subjects.flat().join('\n')}\n`;
}

/** Returns the facts in a contract file, one line each. */
export function parseContract(text: string): string[] {
	const facts: string[] = [];
	let subject = '';
	let conditions: string[] = [];
	let hasParameters = false;
	for (const line of text.split(/\r?\n/)) {
		if (line.startsWith('\t')) {
			hasParameters = true;
			const [parameter = '', ...offers] = line.slice(1).split(' | ');
			const [path = ''] = parameter.split(': ');
			const own = [
				...(parameter === path ? [] : [parameter]),
				...offers.map((one) => `${path} | ${one}`),
			];
			facts.push(...conditions.flatMap((place) => own.map((fact) => `${subject} ${place}${fact}`)));
		} else if (line.startsWith('[')) {
			const place = line === '[]' ? '' : `${line} `;
			conditions = hasParameters ? [place] : [...conditions, place];
			hasParameters = false;
		} else if (line !== '' && !line.startsWith('#')) subject = line;
	}
	return facts;
}
