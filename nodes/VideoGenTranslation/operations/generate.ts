import { defineOperation } from '../../core/operation';
import { withParentId } from '../../shared/withParentId';
import { callbackFields } from '../../fields/callback';
import { translateAudioOnlyField, proofreadIdField } from '../translation';
import { translationJob } from '../../jobKinds/catalog';

export const generate = defineOperation({
	value: 'generate',
	name: 'Generate Translation',
	action: 'Create translated video from corrected subtitles',
	description: "Create the translated video from a proofread's current subtitles",
	request: 'POST /v3/video-translations/proofreads/{proofread_id}/generate',
	fields: [proofreadIdField],
	options: [translateAudioOnlyField, ...callbackFields],
	idempotent: true,
	starts: translationJob,
	reshapeItems: withParentId('proofread_id'),
});
