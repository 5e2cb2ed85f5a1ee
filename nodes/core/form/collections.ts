/** The two collections in which options stand: what is seen or heard, and what is technical. */
import type { Field } from './field';

/** Options by the name of their collection; one that holds none is left out. */
export const inCollections = (options: readonly Field[]) =>
	(['lookAndSound', 'options'] as const)
		.map(
			(name) =>
				[name, options.filter(({ collection = 'options' }) => collection === name)] as const,
		)
		.filter(([, fields]) => fields.length > 0);
