/** The forms offer the fields of simulator/openapi.yaml, with the limits and values that it describes. */
import { eventLabels } from '../../../nodes/fields/webhook';
import { listOperations, readApi, resolve, type JsonSchema } from '../../../simulator/api';
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
	'VideoGenRealtimeAvatar.create.type': 'The files in the request have types, too.',
	'VideoGenSpeech.synthesize.speed': 'The limits are unknown, but no speed is negative.',
	'VideoGenSpeech.synthesizeStreamed.speed': 'The limits are unknown, but no speed is negative.',
	'VideoGenTemplate.generate.font_size': 'The limits are unknown, but no size is negative.',
	'VideoGenWorkflow.update.expected_revision': 'Without a value, the node reads the revision.',
	'VideoGenWebhook.getMany.event_type': 'The service lists the types.',
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

const api = readApi();
const removePlaceholders = (line: string) => line.replace(/\{\w+\}/g, '{}');
const operations = new Map(
	listOperations(api).map(({ line, operation }) => [removePlaceholders(line), operation]),
);

type Properties = Record<string, JsonSchema>;
type Described = Map<string, JsonSchema[]>;
const listParts = (value: unknown) => [value ?? []].flat() as JsonSchema[];
const readSchema = (schema: JsonSchema): JsonSchema => ({ ...resolve(schema), ...schema });

/** Collects all schemas of each property, at every depth. */
function collect(described: Described, schema: JsonSchema | undefined, parents: unknown[] = []) {
	if (typeof schema !== 'object' || parents.includes(resolve(schema))) return;
	const { properties = {}, items, additionalProperties, ...rest } = resolve(schema);
	const inner = [...parents, resolve(schema)];
	for (const [name, property] of Object.entries(properties as Properties)) {
		described.set(name, [...(described.get(name) ?? []), readSchema(property)]);
		collect(described, property, inner);
	}
	for (const part of [items, additionalProperties, rest.oneOf, rest.anyOf].flatMap(listParts)) {
		collect(described, part, inner);
	}
}

function describe(line: string): Described {
	const described: Described = new Map();
	const { parameters = [], requestBody } = operations.get(line) ?? {};
	for (const { in: place, name, schema } of parameters.map((parameter) => resolve(parameter))) {
		if (place === 'query') described.set(name, [readSchema(schema)]);
	}
	collect(described, requestBody?.content['application/json']?.schema);
	return described;
}

/** Names of the query and of the body itself, without what is inside them. */
function listNames(line: string): string[] {
	const { parameters = [], requestBody } = operations.get(line) ?? {};
	const query = parameters
		.map((parameter) => resolve(parameter))
		.filter((parameter) => parameter.in === 'query')
		.map(({ name }) => name);
	const schema = requestBody?.content['application/json']?.schema;
	const body = schema ? resolve(schema) : {};
	const inBody = [body, ...listParts(body.oneOf).map((variant) => resolve(variant))].flatMap(
		({ properties = {} }) =>
			Object.entries(properties as Properties)
				.filter(([, property]) => !property.deprecated && property.const === undefined)
				.map(([name]) => name),
	);
	return [...new Set([...query, ...inBody])];
}

/** A text of one character and more has no limit: forms send no empty text. */
const toLimits = (min: unknown, max: unknown, isText: boolean) =>
	`${isText && min === 1 ? '' : String(min ?? '')} to ${String(max ?? '')}`;

function readLimits(schema: JsonSchema): string {
	const [variant] = listParts(schema.anyOf);
	const { type, ...limits } = variant ? { ...schema, ...readSchema(variant) } : schema;
	return toLimits(
		limits.minimum ?? limits.exclusiveMinimum ?? limits.minLength ?? limits.minItems,
		limits.maximum ?? limits.maxLength ?? limits.maxItems,
		listParts(type).includes('string' as never),
	);
}

const readValues = (schema: JsonSchema): unknown[] =>
	schema.deprecated
		? []
		: [
				...listParts(schema.enum),
				...listParts(schema.examples),
				...listParts(schema.const),
				...[schema.items, schema.oneOf, schema.anyOf]
					.flatMap(listParts)
					.flatMap((part) => readValues(resolve(part))),
			].filter((value) => value !== null);

const sort = (values: unknown[]) => JSON.stringify([...new Set(values)].sort());

function listDifferences(field: Field, schemas: JsonSchema[]): string[] {
	const { kind, min, max } = readBounds(getSchema(field));
	const limits = toLimits(min, max, kind === 'string');
	const described = schemas.map(readLimits);
	const hasLimits = ['string', 'number', 'array'].includes(kind);
	const isChoice = ['options', 'multiOptions'].includes(field.type);
	const options = isChoice ? ((field.options ?? []) as ReadonlyArray<{ value: unknown }>) : [];
	const values = sort(options.map(({ value }) => value).filter((value) => value !== ''));
	const known = schemas.map(readValues);
	return [
		...(hasLimits && !described.includes(limits)
			? [`${limits}, but ${described.join(' or ')} is described`]
			: []),
		...(isChoice && ![...known, known.flat()].map(sort).includes(values)
			? [`${values}, but ${known.map(sort).join(' or ')} is described`]
			: []),
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
const rows = loadOperations()
	.map(({ folder, operation }) => ({
		folder,
		name: `${folder}.${operation.value}`,
		line: removePlaceholders(operation.request),
		fields: [...getNonOptionFields(operation), ...getOptionFields(operation)].flatMap(listInside),
	}))
	.filter(({ line }) => operations.has(line));

const differences = rows.flatMap(({ name, line, fields }) => {
	const described = describe(line);
	return fields
		.filter((field) => field.in !== 'local' && field.type !== 'notice')
		.flatMap((field) =>
			listDifferences(field, described.get(field.name) ?? []).map((text) => ({
				key: `${name}.${field.name}`,
				text,
				isDescribed: described.has(field.name),
			})),
		)
		.filter(({ isDescribed }) => isDescribed);
});

test('the limits and values of the forms are those of the description', () => {
	const wrong = differences.filter(({ key }) => !(key in accepted));
	expect(wrong.map(({ key, text }) => `${key}: ${text}`)).toEqual([]);
});

test('accepted differences exist', () => {
	const keys = differences.map(({ key }) => key);
	expect(Object.keys(accepted).filter((key) => !keys.includes(key))).toEqual([]);
});

test('several hundred fields are compared', () => {
	const compared = rows.flatMap(({ line, fields }) => {
		const described = describe(line);
		return fields.filter(({ name }) => described.has(name));
	});
	expect(compared.length).toBeGreaterThan(400);
});

test('the forms offer every field of a request', () => {
	const missing = [...new Set(rows.map(({ line }) => line))].flatMap((line) => {
		const offered = rows
			.filter((row) => row.line === line)
			.flatMap(({ fields }) => fields.map(({ name }) => name));
		return listNames(line)
			.filter((name) => !offered.includes(name))
			.map((name) => (name in notOffered ? name : `${line} ${name}`));
	});
	expect(missing.filter((place) => !(place in notOffered))).toEqual([]);
	expect(Object.keys(notOffered).filter((place) => !missing.includes(place))).toEqual([]);
});

test('the triggers know every event that is described, and no other', () => {
	expect(Object.keys(eventLabels).sort()).toEqual(Object.keys(api.webhooks).sort());
	expect(api.components.schemas.EventTypeName?.enum).toEqual(Object.keys(api.webhooks));
});
