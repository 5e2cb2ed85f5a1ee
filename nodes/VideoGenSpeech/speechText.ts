import { apiLimits, otherLimits } from '../apiLimits';
import type { Field } from '../core/form/field';
import { addSchemaIssue, createTextSchema, formatRange } from '../core/form/validation';

/**
 * Maximum length, in seconds, of a pause in spoken text. Users enter pauses as `<break>` tags.
 */
const maxPauseSeconds = otherLimits.pauseSeconds;
const { text: spokenText } = apiLimits['POST /v3/voices/speech'];

/**
 * Returns the length, in seconds, of the pause in a break tag such as `<break time="1s" />`.
 * Returns undefined if the tag has no valid time.
 */
function parseBreakSeconds(tag: string): number | undefined {
	const time = /\btime\s*=\s*(?:["']\s*)?(\d*\.?\d+)\s*(ms)?/i.exec(tag);
	return time ? Number(time[1]) / (time[2] ? 1000 : 1) : undefined;
}

/**
 * Form field for the text to speak. Rejects `<break>` tags whose pause is longer than the service
 * allows.
 */
export const speechTextField = {
	displayName: 'Text',
	name: 'text',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	required: true,
	placeholder: 'e.g. Hello {{ $json.name }}, <break time="1s" /> welcome!',
	description: `The words to speak, ${formatRange(spokenText)} characters. A break tag with a time in seconds adds a pause of at most ${maxPauseSeconds} seconds. Not every voice supports pauses.`,
	schema: createTextSchema(spokenText).superRefine((value, context) => {
		for (const [tag] of value.matchAll(/<break\b[^<>]*>/gi)) {
			if ((parseBreakSeconds(tag) ?? 0) <= maxPauseSeconds) continue;
			addSchemaIssue(
				context,
				`must not contain a pause longer than ${maxPauseSeconds} seconds, but contains ${tag}: use several pauses in a row`,
			);
		}
	}),
} as const satisfies Field;

export const professionalSpeechPriceText = '0.6 credits per minute of speech';

/** Form field for the text to speak with a professional voice. The field's hint shows the price. */
export const professionalVoiceTextField = {
	...speechTextField,
	hint: `Costs ${professionalSpeechPriceText}`,
} as const satisfies Field;
