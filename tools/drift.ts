/* Compares the description of the service's API with one that a maintainer has downloaded. */
import { readFileSync } from 'node:fs';
import { join, relative, resolve as resolvePath } from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';
import { apiFile, type ApiDescription, type JsonSchema } from '../simulator/api';
import { fail } from './child';
import { projectRoot } from './install';
import { readOptions } from './options';

const help = `Compares simulator/openapi.yaml, which describes the service's API, with an OpenAPI description that you have
downloaded from the service (YAML or JSON): endpoints, parameters, fields, types, required fields, values and
limits of requests, responses and events, and error codes, in both directions. Fails if there is a difference that
simulator/accepted-drift.json does not list with a reason, or if that file lists one that does not exist.

  npm run drift -- FILE
  npm run drift -- SCHEMA --as "POST /v3/videos body"   compares a JSON Schema with one body
  npm run drift -- SCHEMA --as "GET /v3/videos 200"     compares a JSON Schema with one response`;

export interface AcceptedDifference {
	/** A line of the output, or the beginning of several lines. */
	difference: string;
	reason: string;
}

/** Facts about an API by their place, such as `POST /v3/videos body.title: maxLength`. */
type Facts = Map<string, string>;

/** Keywords of JSON Schema that are facts by themselves. */
const keywords = [
	...['type', 'const', 'format', 'pattern', 'minimum', 'maximum', 'exclusiveMinimum'],
	...['minLength', 'maxLength', 'minItems', 'maxItems', 'additionalProperties'],
];
const openValue = 'of an open list';
const variantKeywords = ['oneOf', 'anyOf'] as const;

const isSchema = (value: unknown): value is JsonSchema =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names a variant of a union by the constant that distinguishes it, or else by its type or number. */
function nameVariant({ properties, type }: JsonSchema, index: number): string {
	const own = isSchema(properties) ? Object.values(properties).filter(isSchema) : [];
	const constant = own.find((schema) => schema.const !== undefined)?.const;
	return JSON.stringify(constant ?? type ?? index);
}

function addSchemaFacts(facts: Facts, place: string, schema: unknown, parents: unknown[] = []) {
	// A schema that contains itself has been described above.
	if (!isSchema(schema) || parents.includes(schema)) return;
	const inner = [...parents, schema];
	for (const keyword of keywords) {
		const value = schema[keyword];
		if (value === undefined || isSchema(value)) continue;
		facts.set(`${place}: ${keyword}`, JSON.stringify(Array.isArray(value) ? value.sort() : value));
	}
	// The known values of an open list. The other description need not contain them.
	for (const value of [schema.examples ?? []].flat()) {
		facts.set(`${place}: value ${JSON.stringify(value)}`, openValue);
	}
	for (const value of [schema.enum ?? []].flat()) {
		facts.set(`${place}: value ${JSON.stringify(value)}`, '');
	}
	for (const name of [schema.required ?? []].flat()) facts.set(`${place}.${name}: required`, '');
	if (isSchema(schema.properties)) {
		for (const [name, property] of Object.entries(schema.properties)) {
			facts.set(`${place}.${name}`, '');
			addSchemaFacts(facts, `${place}.${name}`, property, inner);
		}
	}
	if (isSchema(schema.items)) addSchemaFacts(facts, `${place}[]`, schema.items, inner);
	for (const part of [schema.allOf ?? []].flat()) addSchemaFacts(facts, place, part, inner);
	for (const keyword of variantKeywords) {
		for (const [index, variant] of [schema[keyword] ?? []].flat().entries()) {
			if (!isSchema(variant)) continue;
			addSchemaFacts(facts, `${place}(${nameVariant(variant, index)})`, variant, inner);
		}
	}
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

function addContentFacts(facts: Facts, place: string, content: unknown) {
	if (!isSchema(content)) return;
	for (const [type, media] of Object.entries(content)) {
		const name = type === 'application/json' ? place : `${place} (${type})`;
		facts.set(name, '');
		if (isSchema(media)) addSchemaFacts(facts, name, media.schema);
	}
}

/** Adds the known values of `code` in errors. Objects that also have a message count as errors. */
function addErrorCodes(facts: Facts, value: unknown, parents: unknown[] = []): void {
	if (typeof value !== 'object' || value === null || parents.includes(value)) return;
	const inner = [...parents, value];
	const { properties } = value as JsonSchema;
	const { code, message } = (properties ?? {}) as Record<string, JsonSchema>;
	if (code && message) {
		for (const schema of [code, ...variantKeywords.flatMap((keyword) => code[keyword] ?? [])]) {
			const { enum: values, const: constant, examples } = schema as JsonSchema;
			for (const known of [values ?? [], constant ?? [], examples ?? []].flat()) {
				facts.set('error codes', '').set(`error codes.${String(known)}`, '');
			}
		}
	}
	for (const one of Object.values(value)) addErrorCodes(facts, one, inner);
}

/** Returns the facts of a description without references. Ignores the names of placeholders. */
export function listApiFacts(api: Partial<ApiDescription>): Facts {
	const { paths = {}, webhooks = {}, components } = api;
	const facts: Facts = new Map();
	addErrorCodes(facts, components);
	for (const [path, item] of Object.entries(paths)) {
		for (const method of methods) {
			const operation = item[method];
			if (!operation) continue;
			const line = `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`;
			facts.set(line, '');
			for (const parameter of [...(item.parameters ?? []), ...(operation.parameters ?? [])]) {
				if (parameter.in === 'path') continue;
				const place = `${line} ${parameter.in} ${parameter.name}`;
				facts.set(place, '');
				if (parameter.required) facts.set(`${place}: required`, '');
				addSchemaFacts(facts, place, parameter.schema);
			}
			addContentFacts(facts, `${line} body`, operation.requestBody?.content);
			for (const [status, response] of Object.entries(operation.responses)) {
				if (/^2/.test(status)) addContentFacts(facts, `${line} ${status}`, response.content);
				else addErrorCodes(facts, response.content);
			}
		}
	}
	for (const [name, { post }] of Object.entries(webhooks)) {
		facts.set(`event ${name}`, '');
		addContentFacts(facts, `event ${name} body`, post.requestBody?.content);
	}
	return facts;
}

/** Returns a difference for each fact that only one side has or whose values differ. */
export function compareFacts(ours: Facts, theirs: Facts): string[] {
	// The contents of a missing endpoint, field or event are not reported separately.
	const isBelowMissing = (place: string, others: Facts) =>
		[...place.matchAll(/[ .:([]/g)].some(({ index }) => {
			const parent = place.slice(0, index);
			return (ours.has(parent) || theirs.has(parent)) && !others.has(parent);
		});
	const listMissing = (facts: Facts, others: Facts, text: string) =>
		[...facts].flatMap(([place, value]) =>
			others.has(place) || value === openValue || isBelowMissing(place, others)
				? []
				: [`${place}: ${text}`],
		);
	const changed = [...ours].flatMap(([place, value]) => {
		const other = theirs.get(place);
		return other === undefined || other === value || [value, other].includes(openValue)
			? []
			: [`${place}: ${value} here, ${other} in the file`];
	});
	return [
		...listMissing(ours, theirs, 'missing in the file'),
		...listMissing(theirs, ours, 'missing here'),
		...changed,
	].sort();
}

/** Returns the differences that are not accepted, and the accepted differences that do not exist. */
export function judgeDrift(
	differences: readonly string[],
	accepted: readonly AcceptedDifference[],
) {
	const isCovered = (line: string) =>
		accepted.some(({ difference }) => line.startsWith(difference));
	const exists = ({ difference }: AcceptedDifference) =>
		differences.some((line) => line.startsWith(difference));
	return {
		unknown: differences.filter((line) => !isCovered(line)),
		outdated: accepted.filter((one) => !exists(one)).map(({ difference }) => difference),
	};
}

const acceptedFile = join(projectRoot, 'simulator', 'accepted-drift.json');

/** Reads the facts of an API description from a file, after resolving its references. */
export async function readFacts(file: string): Promise<Facts> {
	const options = { dereference: { circular: true } } as const;
	const api = (await SwaggerParser.dereference(file, options)) as unknown as ApiDescription;
	if (!api.paths) throw new Error(`${file} is not an OpenAPI description: it has no paths`);
	return listApiFacts(api);
}

/** Compares only the body or response at a place with a JSON Schema. */
async function compareSchema(ours: Facts, place: string, file: string): Promise<string[]> {
	const name = place.replace(/\{\w+\}/g, '{}');
	const own = [...ours].filter(([key]) => key.startsWith(name));
	if (!ours.has(name))
		throw new Error(`${relative(projectRoot, apiFile)} does not describe ${name}`);
	// References in the schema are relative to its file.
	const { components } = (await SwaggerParser.dereference({
		...{ openapi: '3.1.0', info: { title: file, version: '1' }, paths: {} },
		components: { schemas: { whole: { $ref: resolvePath(file) } } },
	} as never)) as unknown as ApiDescription;
	const theirs: Facts = new Map([[name, '']]);
	addSchemaFacts(theirs, name, components.schemas.whole);
	return compareFacts(new Map(own), theirs);
}

async function main(): Promise<void> {
	const { words, values } = readOptions(help, { words: true, valued: ['--as'] });
	const [file, ...others] = words;
	if (file === undefined || others.length > 0) throw new Error(`Name one file.\n\n${help}`);
	const ours = await readFacts(apiFile);
	const place = values.get('--as');
	const differences =
		place === undefined
			? compareFacts(ours, await readFacts(file))
			: await compareSchema(ours, place, file);
	const accepted = JSON.parse(readFileSync(acceptedFile, 'utf8')) as AcceptedDifference[];
	const { unknown, outdated } = judgeDrift(
		differences,
		place === undefined
			? accepted
			: accepted.filter(({ difference }) => difference.startsWith(place)),
	);
	for (const line of unknown) console.log(line);
	const name = relative(projectRoot, acceptedFile);
	for (const line of outdated) console.log(`Remove from ${name}, it does not exist: ${line}`);
	console.log(
		`${differences.length} differences: ${unknown.length} new, ${outdated.length} accepted ones that do not exist`,
	);
	if (unknown.length > 0 || outdated.length > 0) process.exitCode = 1;
}

if (require.main === module) main().catch(fail);
