import { defineOperation } from '../../core/operation';
import { eventlessJobCallbackIdField, eventlessJobCallbackUrlField } from '../../fields/callback';
import { findTimeRangeError, dubbingModeField } from '../../fields/dubbing';
import { lipsyncAudioField, lipsyncOptions, lipsyncVideoField } from '../lipsync';
import { lipsyncJob } from '../../jobKinds/catalog';

export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Lipsync video to new speech',
	description: 'Sync the lips in a video to new speech. Captions are always created.',
	request: 'POST /v3/lipsyncs',
	fields: [lipsyncVideoField, lipsyncAudioField, dubbingModeField],
	options: [...lipsyncOptions, eventlessJobCallbackUrlField, eventlessJobCallbackIdField],
	check: (values) => [findTimeRangeError(values)],
	idempotent: true,
	starts: lipsyncJob,
});
