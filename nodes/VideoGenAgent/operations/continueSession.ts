import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { createTextSchema, formatRange } from '../../core/form/validation';
import { sessionField } from '../session';
import { agentMessageOperationBase, agentMessageOptions } from '../agentMessages';

const { message } = apiLimits['POST /v3/video-agents/{session_id}'];

export const continueSession = defineOperation({
	value: 'continue',
	name: 'Continue',
	action: 'Reply to agent or request changes',
	description: 'Reply to the agent, or ask for a change in plain language',
	request: 'POST /v3/video-agents/{session_id}',
	returns: ['status', 'video_id', 'video_url'],
	fields: [
		{ ...sessionField, required: true },
		{
			displayName: 'Message',
			name: 'message',
			type: 'string',
			typeOptions: { rows: 4 },
			default: '',
			required: true,
			placeholder: 'e.g. Make the opening shorter',
			description: `Message to the agent, ${formatRange(message)} characters`,
			schema: createTextSchema(message),
		},
	],
	options: agentMessageOptions,
	...agentMessageOperationBase,
});
