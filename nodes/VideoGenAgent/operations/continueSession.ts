import { z } from 'zod';
import { operation } from '../../core/operation';
import { session } from '../session';
import { followUpTurn, followUpOptions } from '../followUpTurn';

export const continueSession = operation({
	value: 'continue',
	name: 'Continue',
	action: 'Answer the agent or ask for a change',
	description: 'Reply to the agent, or ask for a change in plain language',
	request: 'POST /v3/video-agents/{session_id}',
	fields: [
		{ ...session, required: true },
		{
			displayName: 'Message',
			name: 'message',
			type: 'string',
			typeOptions: { rows: 4 },
			default: '',
			required: true,
			placeholder: 'e.g. Make the opening shorter',
			description: 'Message to the agent, 1 to 10,000 characters',
			schema: z.string().min(1).max(10_000),
		},
	],
	options: followUpOptions,
	...followUpTurn,
});
