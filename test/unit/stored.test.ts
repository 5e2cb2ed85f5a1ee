/** What workflows store: names and values that never change once released. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { INodeProperties, INodeType } from 'n8n-workflow';

const root = path.join(__dirname, '..', '..');
const folders = readdirSync(path.join(root, 'nodes')).filter((name) => name.startsWith('VideoGen'));

async function load(folder: string): Promise<INodeType> {
	const loaded = (await import(path.join(root, 'nodes', folder, `${folder}.node`))) as Record<
		string,
		new () => INodeType
	>;
	const Type = loaded[folder];
	if (!Type) throw new Error(`${folder} exports no class of that name`);
	return new Type();
}

/** Name, type, choices and what is inside, in a fixed order. */
function stored(property: INodeProperties): unknown {
	const inner = (property.options ?? []).map((option) => {
		if ('values' in option) return { [option.name]: option.values.map(stored) };
		return 'type' in option ? stored(option) : option.value;
	});
	const shown = property.displayOptions?.show?.operation as string[] | undefined;
	const name = `${property.name}: ${property.type}${shown ? ` (${shown.join(', ')})` : ''}`;
	const modes = property.modes?.map((mode) => mode.name) ?? [];
	const rest = [...modes, ...inner];
	return rest.length > 0 ? { [name]: rest } : name;
}

test.each(folders)('%s stores what it always has', async (folder) => {
	const { description } = await load(folder);
	expect({
		name: description.name,
		version: description.version,
		credentials: description.credentials?.map(({ name }) => name),
		properties: description.properties.map(stored),
	}).toMatchSnapshot();
});

/** The choices under which a property is shown, one text for each; `true` for a node without any. */
function placesOf({ name, displayOptions }: INodeProperties): string[] {
	const { operation = ['any'], ...others } = displayOptions?.show ?? {};
	return operation.map((value) => JSON.stringify([name, value, others]));
}

test.each(folders)('%s shows no field twice', async (folder) => {
	const { description } = await load(folder);
	const places = description.properties.flatMap(placesOf);
	expect(places.length).toBeGreaterThan(0);
	expect(places.filter((place, i) => places.indexOf(place) !== i)).toEqual([]);
});

const examples = readdirSync(path.join(root, 'examples')).filter((name) => name.endsWith('.json'));

interface ExampleNode {
	name: string;
	type: string;
	webhookId?: string;
	parameters: Record<string, unknown>;
}

test.each(examples)('the example %s uses parameters that exist', async (file) => {
	const { nodes, name } = JSON.parse(readFileSync(path.join(root, 'examples', file), 'utf8')) as {
		name: string;
		nodes: ExampleNode[];
	};
	expect(name).toBeTruthy();
	const ours = nodes.filter(({ type }) => type.startsWith('n8n-nodes-videogen.'));
	expect(ours.length).toBeGreaterThan(0);
	for (const node of ours) {
		const short = node.type.split('.')[1] ?? '';
		const { description } = await load(`${short[0]?.toUpperCase()}${short.slice(1)}`);
		const { operation } = node.parameters;
		const fits = (property: INodeProperties) => {
			const shown = property.displayOptions?.show?.operation as unknown[] | undefined;
			return operation === undefined || shown === undefined || shown.includes(operation);
		};
		const known = description.properties.filter(fits);
		const names = new Set(known.map((property) => property.name));
		for (const parameter of Object.keys(node.parameters)) expect(names).toContain(parameter);
		const options = known.find((property) => property.name === 'options')?.options ?? [];
		const optionNames = new Set(options.map((option) => option.name));
		for (const option of Object.keys((node.parameters.options ?? {}) as object)) {
			expect(optionNames).toContain(option);
		}
		// Without one, n8n makes a path of the node's name.
		if (description.webhooks) expect(node.webhookId).toBeTruthy();
	}
});
