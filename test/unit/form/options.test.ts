/**
 * Options: which collection shows them, and what adding one does. An added switch is on. Any other
 * added option is empty, or its default is what the service does without it.
 */
import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { readParameters } from '../../../nodes/core/form/readParameters';
import { collectionNames, getCollectionOptions, type Field } from '../../../nodes/core/form/field';
import { getOptionFields } from '../../integration/support/core';
import { loadNode, loadOperations } from '../../../tools/nodes';

/** Defaults that the service uses without the option (service.md, Limits), or that only the node reads. */
const usual: Record<string, unknown> = {
	aspect_ratio: ['16:9', 'adaptive'],
	binaryPropertyName: ['data'],
	// The exception: whoever adds it must not pay before it is set.
	checkOnly: ['check'],
	duration: [10],
	engine: ['avatar_iv'],
	expressiveness: ['low'],
	expressiveness_boost: [1],
	format: ['mp4'],
	fps: [25, 30],
	input_type: ['text'],
	listenMinutes: [30],
	min_score: [0.7],
	output_format: ['mp4'],
	// The exception: without it, each execution pays anew.
	payOncePer: ['request'],
	pitch_shift: [0],
	pollInterval: [5],
	prompt_enhancement: ['quality'],
	quality: ['standard'],
	requestsAtOnce: [0],
	resolution: ['720p', '768p'],
	seed: [0],
	speed: [1],
	start_time: [0],
	stopBelowBalance: [0],
	type: ['mixed'],
	waitForCapacity: [60],
	waitTimeout: [30, 1440],
};

const rows = loadOperations();
const nodes = [...new Set(rows.map(({ folder }) => folder))];
const operationsOf = (node: string) =>
	rows.filter(({ folder }) => folder === node).map(({ operation }) => operation);

/** The value of an option that a user adds and leaves unchanged. */
function added(field: Field): unknown {
	// n8n stores the default as it is. It marks a resource locator only if the user changes it.
	const form = {
		getNodeParameter: () => ({ [field.name]: field.default }),
	} as unknown as Pick<IExecuteFunctions, 'getNodeParameter'>;
	const { values, problems } = readParameters(form, [], [field], 0);
	expect(problems).toEqual([]);
	return values[field.name];
}

const isEmpty = (value: unknown) =>
	value === undefined ||
	(typeof value === 'object' && value !== null && Object.keys(value).length === 0);

test.each(nodes)('%s: an added switch is on, and other options change nothing', (folder) => {
	const wrong = operationsOf(folder).flatMap((operation) =>
		getOptionFields(operation).flatMap((field) => {
			const value = added(field);
			const known = usual[field.name] as unknown[] | undefined;
			// Captions is a switch for one or two files: on, it sends an object.
			const isSwitch = field.type === 'boolean' || field.displayName === 'Captions';
			const isExpected = isSwitch
				? value === true || typeof value === 'object'
				: known?.includes(value);
			return isExpected || isEmpty(value)
				? []
				: [`${operation.name} → ${field.displayName} has the default ${JSON.stringify(value)}`];
		}),
	);
	expect(wrong).toEqual([]);
});

test.each(['VideoGenTrigger', 'VideoGenPollingTrigger'])('%s: an added switch is on', (folder) => {
	const { properties } = loadNode(folder).description;
	const options = properties.find(({ name }) => name === 'options')?.options as INodeProperties[];
	const switches = options.filter(({ type }) => type === 'boolean');
	expect(switches.map(({ name }) => name)).toEqual(
		expect.arrayContaining(['download', 'fetchVideo']),
	);
	expect(switches.filter((one) => one.default !== true)).toEqual([]);
});

/** The options that a collection shows for an operation. */
const namesIn = (folder: string, operation: string, collection: string) => {
	const shown = (key: string) => (one: INodeProperties) =>
		one.displayOptions?.show?.[key]?.includes(operation) ?? true;
	const found = loadNode(folder).description.properties.find(
		(one) => one.name === collection && shown('operation')(one),
	);
	return (found?.options as INodeProperties[] | undefined)
		?.filter(shown('/operation'))
		.map(({ name }) => name);
};

test('options for picture and sound are in a collection of their own', () => {
	const folder = 'VideoGenVideo';
	for (const operation of operationsOf(folder)) {
		const { value } = operation;
		for (const collection of ['lookAndSound', 'advanced']) {
			const own = getOptionFields(operation).filter((field) => field.collection === collection);
			const names = own.map(({ name }) => name);
			expect([value, [...(namesIn(folder, value, collection) ?? [])].sort()]).toEqual([
				value,
				names.sort(),
			]);
			const others = namesIn(folder, value, 'options') ?? [];
			expect(others.filter((name) => names.includes(name))).toEqual([]);
		}
	}
});

test('what most workflows need comes first in a list, and what few need comes last', () => {
	expect(namesIn('VideoGenVideo', 'createAvatar', 'lookAndSound')?.slice(0, 3)).toEqual([
		'caption',
		'aspect_ratio',
		'resolution',
	]);
	const options = namesIn('VideoGenVideo', 'createAvatar', 'options') ?? [];
	expect(options.slice(0, 2)).toEqual(['title', 'includeInputFields']);
	expect(options.slice(-3)).toEqual(['payOncePer', 'idempotencyKey', 'waitTimeout']);
});

test('no list has more than 15 entries', () => {
	const lists = rows.flatMap(({ folder, operation }) =>
		collectionNames.map((collection) => ({
			list: `${folder}, ${operation.value}, ${collection}`,
			entries: getCollectionOptions(collection, getOptionFields(operation)).length,
		})),
	);
	expect(lists.filter(({ entries }) => entries > 15)).toEqual([]);
});

test.each(nodes)('%s: operations with many options show them in two collections', (folder) => {
	// The common options are all in the collection Options.
	const long = operationsOf(folder).filter(({ options = [] }) => options.length >= 8);
	const inOne = long.filter((operation) =>
		getOptionFields(operation).every(({ collection }) => collection !== 'lookAndSound'),
	);
	expect(inOne.map(({ name }) => name)).toEqual([]);
});
