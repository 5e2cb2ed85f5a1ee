import type { IDataObject } from 'n8n-workflow';
import { operation } from '../../core/operation';
import { brandGlossary } from '../../fields/brandGlossary';
import { changes } from '../changes';
import { glossaryName } from '../terms';

type Change = 'keep' | 'replace' | 'clear' | undefined;

const list = (key: string, change: Change, entries: IDataObject[] | undefined): IDataObject =>
	change === 'replace' ? { [key]: entries } : change === 'clear' ? { [key]: [] } : {};

const missing = (label: string, change: Change, entries: unknown) =>
	change === 'replace' &&
	entries === undefined &&
	`"${label}" is to be replaced, but nothing is given: add its terms, or choose Clear to empty it or Keep to leave it as it is`;

export const update = operation({
	value: 'update',
	name: 'Update',
	action: 'Update a brand glossary',
	description: 'Rename a glossary, or keep, replace or clear each of its three lists',
	request: 'PATCH /v3/brand-glossaries/{brand_glossary_id}',
	fields: [
		{ ...brandGlossary, required: true },
		{
			...glossaryName,
			displayName: 'New Name',
			required: false,
			description: 'The new name, 1 to 64 characters. Leave empty to keep the present one.',
		},
		...changes,
	],
	check: (values) => {
		const chosen = [values.termsChange, values.untranslatedChange, values.forcedChange];
		return [
			missing('Pronunciations', values.termsChange, values.terms ?? values.terms_json),
			missing(
				'Words Not to Translate',
				values.untranslatedChange,
				values.do_not_translate_terms ?? values.do_not_translate_terms_json,
			),
			missing(
				'Fixed Translations',
				values.forcedChange,
				values.forced_translations ?? values.forced_translations_json,
			),
			values.name === undefined &&
				chosen.every((change) => change === undefined || change === 'keep') &&
				Object.keys(values.additionalBodyFields ?? {}).length === 0 &&
				'There is nothing to change: give a "New Name", or choose Replace or Clear for one of the lists',
		];
	},
	body: ({ values, payload }) => ({
		...payload,
		...list('terms', values.termsChange, values.terms ?? values.terms_json),
		...list(
			'do_not_translate_terms',
			values.untranslatedChange,
			values.do_not_translate_terms ?? values.do_not_translate_terms_json,
		),
		...list(
			'forced_translations',
			values.forcedChange,
			values.forced_translations ?? values.forced_translations_json,
		),
	}),
	mayExist:
		'The glossary may have been changed all the same. Run again: the same change twice does no harm.',
});
