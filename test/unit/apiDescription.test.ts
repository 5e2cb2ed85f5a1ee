/** The description of the API and the list of endpoints that the nodes serve. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listOperations, readApi } from '../../simulator/api';
import { projectRoot } from '../../tools/install';

interface EndpointList {
	sections: Array<{ endpoints: Array<{ request: string }> }>;
}

const removePlaceholders = (line: string) => line.replace(/\{\w+\}/g, '{}');

test('docs/endpoints.json and simulator/openapi.yaml have the same endpoints', () => {
	const text = readFileSync(join(projectRoot, 'docs', 'endpoints.json'), 'utf8');
	const { sections } = JSON.parse(text) as EndpointList;
	const listed = sections.flatMap(({ endpoints }) => endpoints.map(({ request }) => request));
	const described = listOperations(readApi()).map(({ line }) => line);
	expect(described.map(removePlaceholders).sort()).toEqual(listed.map(removePlaceholders).sort());
});
