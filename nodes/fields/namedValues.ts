import type { INodePropertyOptions } from 'n8n-workflow';

/** Name of a value in a dropdown, with a description if the name does not explain it. */
type ValueName = string | { readonly name: string; readonly description: string };

/** Sorts options by name, which is how n8n lists them. */
const sortByName = <O extends { name: string }>(options: O[]) =>
	options.sort((a, b) => a.name.localeCompare(b.name, 'en'));

/**
 * Creates dropdown options from values that the API defines. The compiler requires a name for each
 * value, and rejects names for other values.
 */
export const nameValues = <V extends string>(
	values: readonly V[],
	names: Readonly<Record<NoInfer<V>, ValueName>>,
) =>
	sortByName(
		values.map((value): INodePropertyOptions & { value: V } => {
			const name = names[value];
			return typeof name === 'string' ? { name, value } : { ...name, value };
		}),
	);

/**
 * Creates dropdown options from values that the API defines. The name of each option is the value
 * itself.
 */
export const listValues = <V extends string | number>(values: readonly V[]) =>
	sortByName(values.map((value) => ({ name: String(value), value })));
