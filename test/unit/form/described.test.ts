/** The forms offer the fields of simulator/openapi.yaml, with the limits and values of the right request. */
import { z, type ZodTypeAny } from 'zod';
import { apiValues } from '../../../nodes/apiLimits';
import { readApi } from '../../../simulator/api';
import {
	listDescribedProperties,
	type DescribedProperty,
	type Limit,
} from '../../../tools/describedProperties';
import { loadOperations } from '../../../tools/nodes';
import { readBounds } from '../../integration/support/bounds';
import {
	getNonOptionFields,
	getOptionFields,
	getSchema,
	type Field,
	type FixedCollectionGroup,
} from '../../integration/support/core';

/** Differences on purpose, by node, operation and field. */
const accepted: Record<string, string> = {
	'VideoGenAvatar.createPack.aspect_ratio': 'Only 9:16 is known. The others are a guess.',
	'VideoGenAvatar.createFromTemplate.aspect_ratio': 'Only 9:16 is known. The others are a guess.',
	'VideoGenModelVideo.textToVideo.prompt_enhancement': '`default` is an old name of `turbo`.',
	'VideoGenModelVideo.imageToVideo.prompt_enhancement': '`default` is an old name of `turbo`.',
	'VideoGenModelVideo.referenceToVideo.prompt_enhancement': '`default` is an old name of `turbo`.',
	'VideoGenSpeech.synthesize.speed': 'The limits are unknown, but no speed is negative.',
	'VideoGenSpeech.synthesizeStreamed.speed': 'The limits are unknown, but no speed is negative.',
	'VideoGenTemplate.generate.font_size': 'The limits are unknown, but no size is negative.',
	'VideoGenWorkflow.update.expected_revision': 'Without a value, the node reads the revision.',
	'VideoGenVideo.createAvatar.caption': 'The form offers the results of both fields of captions.',
	'VideoGenVideo.createImage.caption': 'The form offers the results of both fields of captions.',
	'VideoGenVideo.createBatch.caption': 'The form offers the results of both fields of captions.',
	'VideoGenVideo.createStudio.captions': 'The form offers the results of both fields of captions.',
	'VideoGenVideo.createStudio.type': 'An image that speaks is a scene of its own.',
};

/** Fields of requests that no form offers. */
const notOffered: Record<string, string> = {
	token: 'The node reads all pages.',
	'GET /v3/videos/batches/{} limit': 'The node reads all pages.',
	'GET /v3/assets/batches/{} limit': 'The node reads all pages.',
	'GET /v3/lipsyncs/batches/{} limit': 'The node reads all pages.',
	'GET /v3/video-translations/batches/{} limit': 'The node reads all pages.',
	'POST /v3/video-agents visibility': 'Only one value is known, which is the default.',
	'POST /v1/video_agent/generate config': 'Deprecated within the legacy endpoint.',
	'POST /v3/models/audio/tts model': 'Only one value is known, which is the default.',
	'POST /v3/models/audio/tts/stream model': 'Only one value is known, which is the default.',
	'POST /v3/assets/direct-uploads/batches callback_url': 'Reserved. It is never called.',
	'POST /v3/background-removals request_id': 'The node sets it.',
	'POST /v3/avatars/looks type': 'The operation sets it.',
	'POST /v3/models/audio/voices mode': 'The operation sets it.',
	'POST /v3/lipsyncs/batches lipsyncs': 'Each item is an entry.',
	'POST /v3/video-translations/batches video_translations': 'Each item is an entry.',
	'POST /v3/videos/batches videos': 'Each item is an entry.',
	'POST /v3/assets/direct-uploads/batches files': 'Each file is an entry.',
	'PATCH /v3/brand-kits/{} logo_roles': 'It has one role, which the form offers.',
	'PUT /v3/templates/{}/variables variables': 'Variables is a form of its own.',
	'POST /v3/video-translations stock_voice_config': 'The form offers its fields.',
	'POST /v3/video-translations/proofreads stock_voice_config': 'The form offers its fields.',
	'POST /v3/videos audio_url': 'The form offers URL and asset in one field.',
	'POST /v3/videos audio_asset_id': 'The form offers URL and asset in one field.',
	'POST /v3/templates source_video_id': 'Another name that the simulator accepts.',
};

const removePlaceholders = (line: string) => line.replace(/\{\w+\}/g, '{}');

function groupBy<T>(entries: readonly T[], getKey: (entry: T) => string): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const entry of entries) {
		groups.set(getKey(entry), [...(groups.get(getKey(entry)) ?? []), entry]);
	}
	return groups;
}

/** The properties of each request. Those of its headers and paths are no fields. */
const requests = groupBy(listDescribedProperties(), ({ line }) => removePlaceholders(line));

/** The last name of a path: that of the field, at any depth. */
const getName = ({ field }: DescribedProperty) =>
	field.replace(/\[\]|\.\*/g, '').replace(/.*\./, '');

/** A text of one character and more has no limit: forms send no empty text. */
const renderBounds = ({ min, above, max }: Limit, isText: boolean) =>
	`${above === undefined ? '' : 'more than '}${isText && min === 1 ? '' : (above ?? min ?? '')} to ${max ?? ''}`;

const isText = ({ schema }: DescribedProperty) => [schema.type].flat().includes('string');

/** Variants of a property describe its limit; a property without a limit may have any value. */
function listLimits(properties: DescribedProperty[]): string[] {
	const paths = groupBy(
		properties.filter(({ field }) => !field.endsWith('[]')),
		({ field, owner }) => `${owner} ${field}`,
	);
	return [...paths.values()].map((variants) => {
		const limited = variants.find(({ limit }) => limit) ?? variants[0];
		return renderBounds(limited?.limit ?? {}, limited !== undefined && isText(limited));
	});
}

function readEnum(schema: ZodTypeAny | undefined): readonly unknown[] | undefined {
	if (schema instanceof z.ZodArray) return readEnum(schema.element as ZodTypeAny);
	return schema instanceof z.ZodEnum ? (schema.options as string[]) : undefined;
}

const lists: unknown[] = Object.values(apiValues).flatMap((owner) => Object.values(owner));
const sort = (values: readonly unknown[]) => JSON.stringify([...new Set(values)].sort());

function listDifferences(field: Field, properties: DescribedProperty[]): string[] {
	const schema = getSchema(field);
	const { kind, min, max, isExclusive } = readBounds(schema);
	const bounds = isExclusive ? { above: min, max } : { min, max };
	const limit = renderBounds(bounds, kind === 'string');
	const limits = listLimits(properties);
	const isChoice = ['options', 'multiOptions'].includes(field.type);
	const options = isChoice ? field.options : undefined;
	const offered = (options as ReadonlyArray<{ value: unknown }> | undefined)
		?.map(({ value }) => value)
		.filter((value) => value !== '');
	const known = properties.map(({ values }) => values).filter((values) => values.length > 0);
	const checked = readEnum(schema);
	return [
		...(['string', 'number', 'array'].includes(kind) && !limits.includes(limit)
			? [`${limit}, but ${limits.join(' or ')} is described`]
			: []),
		...(offered && !known.map(sort).includes(sort(offered))
			? [`offers ${sort(offered)}, but ${known.map(sort).join(' or ')} is described`]
			: []),
		...(checked && !lists.includes(checked) ? ['checks with a list of its own'] : []),
	];
}

const listInside = (field: Field): Field[] => [
	field,
	...(['collection', 'fixedCollection'].includes(field.type)
		? (field.options as ReadonlyArray<Field | FixedCollectionGroup>)
		: []
	)
		.flatMap((one) => ('values' in one ? one.values : [one]))
		.flatMap(listInside),
];

/** The operations that send a described request, with all of their fields. */
const rows = loadOperations().flatMap(({ folder, operation }) => {
	const properties = requests.get(removePlaceholders(operation.request)) ?? [];
	const fields = [...getNonOptionFields(operation), ...getOptionFields(operation)];
	return properties.length > 0
		? [{ name: `${folder}.${operation.value}`, properties, fields: fields.flatMap(listInside) }]
		: [];
});

/** The fields that are sent, with what is described under their names. */
const compared = rows.flatMap(({ name, properties, fields }) => {
	const byName = groupBy(properties, getName);
	return fields
		.filter((field) => field.in !== 'local' && byName.has(field.name))
		.map((field) => ({
			key: `${name}.${field.name}`,
			differences: listDifferences(field, byName.get(field.name) ?? []),
		}));
});

test('the limits and values of the forms are those of the description', () => {
	const wrong = compared.filter(({ key }) => !(key in accepted));
	const found = wrong.flatMap(({ key, differences }) => differences.map((one) => `${key}: ${one}`));
	expect(found).toEqual([]);
	expect(compared.length).toBeGreaterThan(400);
});

test('accepted differences exist', () => {
	const differing = compared.filter(({ differences }) => differences.length > 0);
	const keys = differing.map(({ key }) => key);
	expect(Object.keys(accepted).filter((key) => !keys.includes(key))).toEqual([]);
});

test('the forms offer every field of a request', () => {
	const missing = [...requests].flatMap(([line, properties]) => {
		const senders = rows.filter((row) => row.properties === properties);
		const offered = senders.flatMap(({ fields }) => fields.map(({ name }) => name));
		const own = properties.filter(({ field }) => field !== '' && !/[.[]/.test(field));
		const names = groupBy(own, ({ field }) => field);
		return senders.length === 0
			? []
			: [...names]
					.filter(([, variants]) => variants.every(({ schema }) => schema.const === undefined))
					.flatMap(([name]) => (offered.includes(name) ? [] : [name]))
					.map((name) => (name in notOffered ? name : `${line} ${name}`));
	});
	expect(missing.filter((place) => !(place in notOffered))).toEqual([]);
	expect(Object.keys(notOffered).filter((place) => !missing.includes(place))).toEqual([]);
});

test('the names of the events are those of the webhooks', () => {
	expect(apiValues.EventTypeName).toEqual(Object.keys(readApi().webhooks));
});
