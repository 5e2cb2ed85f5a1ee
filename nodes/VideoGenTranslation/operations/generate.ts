import { operation } from '../../core/operation';
import { carrying } from '../../fields/carrying';
import { callback } from '../../fields/callback';
import { audioOnly, proofread } from '../../fields/translation';
import { translationFiles } from '../../files';
import { translationJob } from '../../jobs';

export const generate = operation({
	value: 'generate',
	name: 'Generate Translation',
	action: 'Make a translated video from corrected words',
	description: 'Make the translated video with the words as they are now in the proofread',
	request: 'POST /v3/video-translations/proofreads/{proofread_id}/generate',
	fields: [proofread],
	options: [audioOnly, ...callback],
	idempotent: true,
	starts: translationJob,
	files: translationFiles,
	reshapeItems: carrying('proofread_id'),
});
