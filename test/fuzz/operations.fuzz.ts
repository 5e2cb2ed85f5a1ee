/**
 * Every parameter of every operation gets any value, on n8n's engine, against the simulator. The
 * simulator is written from the specification alone: a value that it rejects as invalid should not
 * have been sent.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { readBounds } from '../integration/support/bounds';
import {
	getNonOptionFields,
	getOptionFields,
	getErrorDetails,
	getSchema,
	acceptsUnlistedValues,
	type Field,
	type Operation,
	type Resource,
} from '../integration/support/core';
import { readCase, type Case, type Cases } from '../integration/support/cases';
import { runNode } from '../integration/support/engine';
import { completeParameters } from '../integration/support/expectedRequest';
import { showField } from '../integration/support/walk';
import { useService } from '../integration/support/service';
import { checkProperty, isOwnPart, WrongAcceptance } from './property';
import { buildValue, recipes, toPlain, type Recipe } from './values';

interface NodeCases {
	node: string;
	resources: readonly Resource[];
	cases: Cases;
	open: readonly string[];
}

const mockNodes: NodeCases[] = [];
jest.mock('../integration/support/cases', () => ({
	...jest.requireActual<object>('../integration/support/cases'),
	describeOperations: (
		node: string,
		resources: readonly Resource[],
		cases: Cases,
		open: readonly string[] = [],
	) => void mockNodes.push({ node, resources, cases, open }),
}));

/** Loads the cases of all operations from the tests, without their tests. */
function loadCases(): NodeCases[] {
	const hooks = ['describe', 'test', 'beforeAll', 'afterAll', 'beforeEach', 'afterEach'] as const;
	const real = Object.fromEntries(hooks.map((name) => [name, globalThis[name]]));
	const ignored = Object.assign(() => undefined, { each: () => () => undefined });
	for (const name of hooks) Object.assign(globalThis, { [name]: ignored });
	const folder = join(__dirname, '..', 'integration', 'nodes');
	for (const name of readdirSync(folder)) {
		if (/^VideoGen\w+\.test\.ts$/.test(name)) jest.requireActual(join(folder, name));
	}
	Object.assign(globalThis, real);
	return mockNodes;
}

/** How a value gets into a field. */
type Entry =
	/** The expression returns the whole value of the field, whatever its type. */
	| 'field'
	/** The expression is inside a resource locator of this mode. */
	| { mode: string };

interface Input {
	field: string;
	entry: Entry;
	recipe: Recipe;
}

const isForTools = ({ displayOptions }: Field) => displayOptions?.show?.['@tool'] !== undefined;

/** The parameters with an expression in the field. */
function placeExpression(
	base: INodeParameters,
	field: Field,
	form: readonly Field[],
	entry: Entry,
): INodeParameters {
	const expression = '={{ $json.fuzz }}';
	const value =
		entry === 'field' ? expression : { __rl: true, mode: entry.mode, value: expression };
	if (form.includes(field)) {
		return { ...showField(field, base, form), [field.name]: value } as INodeParameters;
	}
	const options = { ...(base.options as INodeParameters), [field.name]: value };
	return { ...base, options } as INodeParameters;
}

/** The values that an enum allows. */
const readChoices = (field: Field): unknown[] | undefined => {
	const def = getSchema(field)?._def as { typeName?: string; values?: unknown[] } | undefined;
	return def?.typeName === 'ZodEnum' ? def.values : undefined;
};

/** What a sent value has that its field does not allow, by the limits that the schema declares. */
function findViolation(field: Field, value: unknown): string | undefined {
	const {
		min = -Infinity,
		max = Infinity,
		isExclusive,
		isInteger,
		isUrl,
	} = readBounds(getSchema(field));
	const size =
		typeof value === 'string' ? [...value].length : Array.isArray(value) ? value.length : value;
	if (typeof size !== 'number') return undefined;
	if (Number.isNaN(size)) return 'is not a number';
	if (size < min || (isExclusive && size === min)) return `is less than ${min}`;
	if (size > max) return `is more than ${max}`;
	if (typeof value === 'number' && isInteger && !Number.isInteger(value)) return 'is no integer';
	if (typeof value !== 'string') return undefined;
	if (isUrl && !URL.canParse(value)) return 'is no URL';
	const choices = readChoices(field);
	return choices && !choices.includes(value) ? 'is none of the choices' : undefined;
}

/** Messages of errors that JavaScript itself throws: the node has not foreseen the value. */
const rawMessage =
	/^unexpected (token|end)|cannot (read|convert|set|destructure|access)|is not (a function|iterable|defined|a constructor|an object)|undefined is|reading '|maximum call stack|invalid (array|string) length|circular structure/i;

/**
 * Fields whose valid values only the service knows: those in service.md, Guesses, the inputs of
 * a workflow, references that must fit each other, and websites that it must reach.
 */
const checkedByService = [
	'createDirectUpload, size_bytes',
	'createFromPrompt, avatar_group_id',
	'create, url',
	'updateVariables, declarations_json',
	'updateVariables, expected_edit_version',
	'start, inputs_json',
	'start, inputs',
	'createPack, reference_look_id',
	'createFromTemplate, reference_look_id',
];

/**
 * Whether users may send values that the simulator does not know: what the service adds after this
 * package was released.
 */
const isOpen = (operation: Operation, field: Field): boolean =>
	field.name === 'additionalBodyFields' ||
	checkedByService.includes(`${operation.value}, ${field.name}`) ||
	acceptsUnlistedValues(field) ||
	(['options', 'multiOptions'].includes(field.type) && readChoices(field) === undefined);

/** The name of an error, which n8n keeps although it copies the error. */
type RunError = Error & { cause?: Error };

function expectNodeError(error: RunError): void {
	if (!['NodeOperationError', 'NodeApiError'].includes(error.name)) {
		throw new Error(`threw ${error.name}: ${error.message.slice(0, 300)}`);
	}
	const cause = error.cause?.name ?? '';
	if (/^(Type|Range|Reference|Syntax|URI)Error$/.test(cause) || rawMessage.test(error.message)) {
		throw new Error(
			`threw ${error.name} around ${cause || 'an error'}: ${error.message.slice(0, 300)}`,
		);
	}
	if (error.message.trim() === '') throw new Error('threw an error without a message');
}

/** n8n itself rejects some parameters before the node runs. Throws any other error again. */
function ignoreRejectionOfN8n(error: Error): undefined {
	if (!error.message.startsWith("The 'Node' node has issues")) throw error;
}

/** Inputs of each operation in the long form: the 151 operations get most of all inputs. */
const inputsPerOperation = 400;

const service = useService({ jobSeconds: 0 });

for (const { node, resources, cases } of loadCases()) {
	for (const [name, one] of Object.entries(cases)) {
		const title = `${node}, ${name}: any value of any parameter is sent or rejected`;
		const [first = '', second] = name.split('.');
		const resource =
			second === undefined ? resources[0] : resources.find(({ value }) => value === first);
		const operation = resource?.operations.find(({ value }) => value === (second ?? first));
		if (!resource || !operation) throw new Error(`No operation ${name}`);
		if (isOwnPart(title))
			test(
				title,
				async () => await checkOperation(title, node, resource, operation, readCase(one)),
			);
	}
}

async function checkOperation(
	title: string,
	node: string,
	resource: Resource,
	operation: Operation,
	one: Case,
): Promise<void> {
	const ids = (await one.before?.(service)) ?? {};
	service.control.setWorkspace({ jobsAtOnce: 1_000_000 });
	const base: INodeParameters = {
		resource: resource.value,
		operation: operation.value,
		...completeParameters(operation, one, ids),
	};
	const form = getNonOptionFields(operation).filter((field) => !isForTools(field));
	const options = getOptionFields(operation).filter((field) => !isForTools(field));
	const fields = new Map(
		[...form, ...options]
			.filter(({ type }) => type !== 'notice')
			.map((field) => [field.name, field]),
	);
	if (fields.size === 0) return;
	// Without this, every input could be rejected because of another parameter.
	const valid = await runNode(service, node, base, { items: one.items });
	if (valid.error) throw valid.error as RunError;

	const toInput = (field: Field): fc.Arbitrary<Input> => {
		const modes = field.modes?.map(({ name }) => name) ?? [];
		const entries: Entry[] = ['field', ...modes.map((mode) => ({ mode }))];
		return fc.record({
			field: fc.constant(field.name),
			entry: fc.constantFrom(...entries),
			recipe: recipes,
		});
	};

	await checkProperty<Input>({
		name: title,
		inputs: inputsPerOperation,
		arbitrary: fc.oneof(...[...fields.values()].map(toInput)),
		control: (input) => ({ ...input, recipe: toPlain(input.recipe) }),
		check: async ({ field: fieldName, entry, recipe }) => {
			const field = fields.get(fieldName);
			if (!field) throw new Error(`No field ${fieldName}`);
			const current = (form.includes(field) ? base : (base.options as INodeParameters))?.[
				fieldName
			];
			const value = buildValue(recipe, current);
			const items = (one.items ?? [{ json: {} }]).map((item): INodeExecutionData => ({
				...item,
				json: { ...item.json, fuzz: value },
			}));
			const parameters = placeExpression(base, field, form, entry);
			const from = service.control.requests().length;
			const run = runNode(service, node, parameters, { items });
			const error = await run.then((result) => result.error, ignoreRejectionOfN8n);
			if (error) expectNodeError(error as RunError);

			const details = getErrorDetails(error);
			// Without a parameter, it rejects a combination of values that only the service knows.
			const isInvalid = details.code === 'invalid_parameter' && details.param !== undefined;
			if (details.status === 400 && isInvalid && !isOpen(operation, field)) {
				throw new WrongAcceptance(`sent, and rejected by the service: ${error?.message}`);
			}
			for (const { method, path, body } of service.control.requests().slice(from)) {
				if (isOpen(operation, field)) continue;
				if (method !== operation.request.split(' ')[0] || typeof body !== 'object') continue;
				for (const [key, sent] of Object.entries(body ?? {})) {
					const sentField = fields.get(key);
					const violation = sentField && findViolation(sentField, sent);
					if (violation)
						throw new WrongAcceptance(`${method} ${path} sent ${key}, which ${violation}`);
				}
			}
			// What the simulator keeps for its tests would grow with every input.
			service.control.requests().length = 0;
		},
	});
}
