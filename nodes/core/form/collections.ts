/** The two collections in which options stand: what is seen or heard, and what is technical. */
import type { Field } from './field';

export const collectionNames = ['lookAndSound', 'options'] as const;

export type CollectionName = (typeof collectionNames)[number];

/** Those options that stand in the collection. */
export const optionsIn = (name: CollectionName, options: readonly Field[]) =>
	options.filter(({ collection = 'options' }) => collection === name);
