import { z } from 'zod';
import { apiValues } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { agentFilesField } from '../../fields/asset';
import { brandGlossaryField } from '../../fields/brandGlossary';
import { brandKitField } from '../../fields/brandKit';
import { callbackFields } from '../../fields/callback';
import { lookField } from '../../fields/look';
import { nameValues } from '../../fields/namedValues';
import { styleField } from '../style';
import { voiceField } from '../../fields/voice';
import { videoResultFiles } from '../../jobKinds/files';
import { agentChatSessionJob, agentSessionJob } from '../../jobKinds/catalog';
import { incognitoModeField, orientationField, agentPromptField } from '../generationFields';

const { mode: agentModes } = apiValues['POST /v3/video-agents'];

export const create = defineOperation({
	value: 'create',
	name: 'Generate Video',
	action: 'Generate video from prompt',
	description: 'Turn a prompt into a finished video, directly or in a chat with the agent',
	request: 'POST /v3/video-agents',
	returns: ['status', 'video_id', 'video_url'],
	fields: [
		{
			...agentPromptField,
			placeholder: 'e.g. A cheerful 30-second video that welcomes new customers',
			hint: 'Specify the length in the prompt, for example "30 seconds". The service has no separate field for the length.',
		},
		{
			displayName: 'Mode',
			name: 'mode',
			type: 'options',
			options: nameValues(agentModes, {
				chat: {
					name: 'Chat',
					description:
						'Work on the video over several turns. While the agent is waiting for you, the output item has the status waiting_for_input or reviewing, and its reply field contains the message from the agent. Reply with the "Continue" operation.',
				},
				generate: {
					name: 'Generate',
					description: 'Create the finished video without asking questions',
				},
			}),
			default: 'generate',
			description: 'How the agent creates the video: directly, or in a chat with you',
			schema: z.enum(agentModes),
		},
	],
	options: [
		{
			...brandGlossaryField,
			description: `${brandGlossaryField.description} The glossary applies to the whole session and cannot be changed later.`,
		},
		brandKitField,
		...callbackFields,
		agentFilesField,
		{ ...lookField, description: 'Avatar look to show. If not set, the agent chooses one.' },
		incognitoModeField,
		{
			...orientationField,
			description: 'Orientation of the video. If not set, the agent chooses one.',
		},
		styleField,
		{ ...voiceField, description: 'Voice to use. If not set, the agent chooses one.' },
	],
	durationHint: agentSessionJob.durationHint,
	capacityLimit: agentSessionJob.capacityLimit,
	stoppable: true,
	starts: (_, { mode }) => (mode === 'chat' ? agentChatSessionJob : agentSessionJob),
	files: videoResultFiles,
	uncertainOutcomeHint:
		'The session may have been created anyway. This request cannot be repeated safely, so the node did not retry it. Look for the session with Get Many (newest first) before you run the workflow again, or you may pay twice.',
});
