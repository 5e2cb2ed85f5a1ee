/** Operations on legacy paths tell in the form that the service announced to retire these paths. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadNodeType } from '../../integration/support/engine';
import type { Resource } from '../../../nodes/core/operation';

const folder = join(__dirname, '../../../nodes');
const nodes = readdirSync(folder).filter((name) => /^VideoGen/.test(name));

const legacyOperations = nodes.flatMap((node) => {
	let resources: readonly Resource[];
	try {
		// eslint-disable-next-line @typescript-eslint/no-require-imports -- by name
		({ resources } = require(join(folder, node, 'operations')) as { resources: Resource[] });
	} catch {
		return [];
	}
	return resources.flatMap(({ value: resource, operations }) =>
		operations
			.filter(({ request }) => / \/v[12]\//.test(request))
			.map(({ value, description }) => ({ node, resource, operation: value, description })),
	);
});

test('there are such operations', () => {
	expect(legacyOperations.map(({ operation }) => operation)).toEqual([
		'getLegacy',
		'generateLegacy',
	]);
});

test.each(legacyOperations)('$node, $operation', ({ node, operation, resource, description }) => {
	expect(description).toContain('which the service is retiring');
	const { properties } = loadNodeType(node).description;
	const notices = properties.filter(
		({ type, displayOptions: { show = {} } = {} }) =>
			type === 'notice' &&
			show.operation?.includes(operation) &&
			(show.resource === undefined || show.resource.includes(resource)),
	);
	expect(notices.map(({ displayName }) => displayName)).toEqual([
		expect.stringContaining('will retire this API on November 1, 2026'),
	]);
});
