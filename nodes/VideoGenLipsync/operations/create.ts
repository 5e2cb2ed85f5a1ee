import { operation } from '../../core/operation';
import { callId, callUrl } from '../../fields/callback';
import { checkPart, mode } from '../../fields/dubbing';
import { lipsyncAudio, lipsyncVideo } from '../../fields/lipsync';
import { lipsyncFiles } from '../../files';
import { lipsyncJob } from '../../jobs';
import { lipsyncOptions } from '../lipsyncForm';

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Lipsync a video to new speech',
	description: 'Give a video other speech, with lips that follow it',
	request: 'POST /v3/lipsyncs',
	fields: [lipsyncVideo, lipsyncAudio, mode],
	options: [...lipsyncOptions, callUrl, callId],
	check: (values) => [checkPart(values)],
	idempotent: true,
	starts: lipsyncJob,
	files: lipsyncFiles,
});
