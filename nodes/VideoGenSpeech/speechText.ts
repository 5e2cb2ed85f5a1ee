import { z } from 'zod';
import { addProblem } from '../core/form/validation';
import type { Field } from '../core/form/field';

/** Seconds (docs/service.md, Limits). */
const maxPauseSeconds = 5;

/** Seconds of a break tag, if it tells them. */
function parseBreakSeconds(tag: string): number | undefined {
	const time = /\btime\s*=\s*["']?\s*(\d*\.?\d+)\s*(ms)?/i.exec(tag);
	return time ? Number(time[1]) / (time[2] ? 1000 : 1) : undefined;
}

/** The words to speak. */
export const speechText = {
	displayName: 'Text',
	name: 'text',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	required: true,
	placeholder: 'e.g. Hello {{ $json.name }}, <break time="1s" /> welcome!',
	description:
		'The words to speak, 1 to 5,000 characters. A break tag with its time in seconds makes a pause, at most 5 seconds each; not every voice knows it.',
	schema: z
		.string()
		.min(1)
		.max(5000)
		.superRefine((value, context) => {
			for (const [tag] of value.matchAll(/<break\b[^>]*>/gi)) {
				if ((parseBreakSeconds(tag) ?? 0) <= maxPauseSeconds) continue;
				addProblem(
					context,
					`must have no pause of more than ${maxPauseSeconds} seconds, but has ${tag}: use several pauses one after the other`,
				);
			}
		}),
} as const satisfies Field;

export const professionalSpeechPrice = '0.6 credits for each minute of speech';

/** The same for a voice of one's own. */
export const professionalSpeechText = {
	...speechText,
	hint: `Costs ${professionalSpeechPrice}`,
} as const satisfies Field;
