/**
 * Builds tool descriptions for AI agents. They tell the language model what a tool does, what it
 * costs, what it returns, whether it waits for the result, and which inputs it accepts.
 */
import type { Field } from '../form/field';
import type { Operation, Resource } from '../operation';
import { getOutputIdKey, getMethod, isUnpaidCreate, isPaid } from '../operationTraits';

/**
 * Maximum length of a tool's description, in characters. Every request to a language model contains
 * the descriptions of all tools. A test checks that no description takes more than 250 tokens.
 */
export const maxToolDescriptionLength = 930;

const endSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

function describeCost(operation: Operation): string[] {
	if (isUnpaidCreate(operation)) return ['Price not published.'];
	if (!isPaid(operation)) return getMethod(operation) === 'GET' ? ['Only reads.'] : [];
	const { price = 'price not published' } = operation;
	return [
		`Costs money (${price}). A call with different values, or after a new user message, creates another paid result.`,
	];
}

/** Maximum number of output keys in a tool's description, in addition to the ID. */
const maxKeys = 5;

/** Returns the output keys, in addition to the ID, that a tool's description lists. */
export function getOutputKeysForToolDescription({
	returns,
	simple = [],
	starts,
}: Operation): readonly string[] {
	if (returns) return returns;
	if (typeof starts === 'object') return ['status', ...(starts.resultUrls ?? [])];
	return simple.filter((key) => !key.includes('.')).slice(0, maxKeys);
}

function describeOutput(id: string | undefined, operation: Operation, waits: boolean): string {
	const { list, starts } = operation;
	if (starts !== undefined && !waits) return `Returns ${id ?? 'its id'}, without the result.`;
	const others = getOutputKeysForToolDescription(operation).filter((key) => key !== id);
	const keys = [...(id === undefined ? [] : [id]), ...others].join(', ');
	if (list !== undefined) return `Returns a short list of entries with ${keys}.`;
	return keys === '' ? 'Returns whether it succeeded.' : `Returns ${keys}.`;
}

const waitingText =
	'Waits until the result is finished, for at most 30 minutes unless set otherwise. If the result has "finished": false, do not create it again: either call this tool again with exactly the same values now, which continues to wait without another charge, or call Get later.';
const describeLaterResult = (id = 'its id') =>
	`Does not wait: the result is ready a few minutes after the call. Do not create it again; call Get later with ${id}.`;

/** Field types that a language model cannot set, because n8n shows no sparkle icon for them. */
const typesWithoutSparkle = [
	'notice',
	'options',
	'collection',
	'fixedCollection',
	'resourceMapper',
];

const canModelSet = ({ type, name, noDataExpression }: Field) =>
	!typesWithoutSparkle.includes(type) &&
	noDataExpression !== true &&
	!/^(fileName|binary|callback)/.test(name);

/** Returns a field's key in a tool's schema, as n8n derives it from the displayed name. */
const getSchemaKey = ({ displayName }: Field) =>
	displayName.slice(0, 63).replace(/[^a-zA-Z0-9-]/g, '_');

const pluralizeNoun = (noun: string) =>
	noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;

/** Describes what a resource locator field accepts, such as `look_id from a list of looks`. */
function describeId(field: Field): string {
	if (field.asset === true) return 'https:// URL of a file, or asset_id of an upload';
	const placeholders = (field.modes ?? []).map(({ placeholder = '' }) => placeholder);
	const id = placeholders.join(' ').match(/\$json\.(\w+)/)?.[1];
	if (id === undefined) return 'ID';
	return `${id} from a list of ${pluralizeNoun(id.replace(/_id$/, '').replace(/_/g, ' '))}`;
}

function readFirstClause(text: string): string {
	const [sentence = ''] = text.split(/[.;] /);
	const clause = sentence.replace(/\.$/, '').replace(/^The /, '');
	return /^[A-Z][a-z]/.test(clause) ? `${clause[0]?.toLowerCase()}${clause.slice(1)}` : clause;
}

const maxValues = 8;

function describeChoices({ options = [] }: Field): string {
	const values = options.flatMap((option) =>
		'value' in option && option.value !== '' ? [String(option.value)] : [],
	);
	return [...values.slice(0, maxValues), ...(values.length > maxValues ? ['…'] : [])].join(', ');
}

function describeExample({ placeholder = '' }: Field): string {
	const isLiteral = placeholder.startsWith('e.g. ') && !placeholder.includes('{{');
	return isLiteral ? `, ${placeholder}` : '';
}

function describeInput(field: Field): string {
	const { type, description = '', required } = field;
	// A field that depends on another field is required only for some of that field's values.
	const isAlwaysRequired = required === true && field.displayOptions?.show === undefined;
	const name = `${getSchemaKey(field)}${isAlwaysRequired ? '*' : ''}`;
	const meaning = readFirstClause(description);
	switch (type) {
		case 'resourceLocator':
			return `${name}: ${describeId(field)}`;
		case 'multiOptions':
			return `${name}: ${describeChoices(field) || meaning}`;
		case 'boolean':
			return `${name}: ${meaning.replace(/^whether (to )?/i, 'true to ').replace('true to the ', 'true if the ')}`;
		default:
			return `${name}: ${meaning}${describeExample(field)}`;
	}
}

/** Options that tools are most often asked to set. A description has space for only a few. */
const frequentOptions = ['voice_id', 'avatar_id', 'style_id', 'brand_kit_id', 'title'];

const sortByUse = (options: readonly Field[]): Field[] => [
	...frequentOptions.flatMap((name) => options.filter((option) => option.name === name)),
	...options.filter(({ name }) => !frequentOptions.includes(name)),
];

/**
 * Describes an operation's inputs for a language model, because n8n's tool schema explains few of
 * them. Fields come first, shortened if necessary, then as many options as fit. The schema
 * contains only the inputs whose sparkle icon the user has clicked.
 *
 * @param space maximum number of characters
 */
function describeInputs({ fields = [], options = [] }: Operation, space: number): string {
	const heading = 'Inputs (* = required), if present in the schema: ';
	const inputs = new Map<string, string>();
	let left = space - heading.length - 1;
	const describedFields = fields.filter(canModelSet);
	const isTooLong =
		describedFields.reduce((sum, field) => sum + describeInput(field).length + 2, 0) > left;
	for (const field of [...describedFields, ...sortByUse(options)]) {
		if (!canModelSet(field) || inputs.has(field.displayName)) continue;
		const text = describeInput(field);
		// It is more important to mention every form field than to describe a few in detail.
		const input =
			isTooLong && describedFields.includes(field) ? (text.split(',')[0] ?? text) : text;
		if (input.length + 2 > left) continue;
		inputs.set(field.displayName, input);
		left -= input.length + 2;
	}
	return inputs.size === 0 ? '' : `${heading}${[...inputs.values()].join('; ')}.`;
}

/** Returns a tool's description, or two if users can choose whether the tool waits. */
export function buildToolDescriptions(resource: Resource, operation: Operation) {
	const id = getOutputIdKey(resource, operation);
	const buildDescription = (waits: boolean, waitText?: string) => {
		const description = [
			endSentence(operation.action),
			endSentence(operation.description),
			...describeCost(operation),
			describeOutput(id, operation, waits),
			...(waitText === undefined ? [] : [waitText]),
		].join(' ');
		const inputs = describeInputs(operation, maxToolDescriptionLength - description.length - 1);
		return inputs === '' ? description : `${description} ${inputs}`;
	};
	if (operation.starts === undefined) {
		return [{ description: buildDescription(true), conditions: {} }];
	}
	return [true, false].map((waits) => ({
		description: buildDescription(waits, waits ? waitingText : describeLaterResult(id)),
		conditions: { waitForCompletion: [waits] },
	}));
}
