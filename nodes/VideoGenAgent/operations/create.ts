import { z } from 'zod';
import { operation } from '../../core/operation';
import { agentFiles } from '../../fields/asset';
import { brandGlossary } from '../../fields/brandGlossary';
import { brandKit } from '../../fields/brandKit';
import { callbackFields } from '../../fields/callback';
import { look } from '../../fields/look';
import { style } from '../style';
import { voice } from '../../fields/voice';
import { videoFiles } from '../../jobs/files';
import { chatSessionJob, sessionJob } from '../../jobs/catalog';
import { incognitoMode, orientation, agentPrompt } from '../form';

export const create = operation({
	value: 'create',
	name: 'Generate Video',
	action: 'Generate a video from a prompt',
	description: 'Turn a prompt into a finished video, or work on it with the agent in a chat',
	request: 'POST /v3/video-agents',
	fields: [
		{ ...agentPrompt, placeholder: 'e.g. A cheerful 30 second video that welcomes new customers' },
		{
			displayName: 'Mode',
			name: 'mode',
			type: 'options',
			options: [
				{
					name: 'Generate',
					value: 'generate',
					description: 'Make the finished video without asking back',
				},
				{
					name: 'Chat',
					value: 'chat',
					description:
						'Work on the video in several turns. When the agent stops and asks, the item has the status waiting_for_input or reviewing, and what it says stands in reply; Continue answers it.',
				},
			],
			default: 'generate',
			description: 'Whether the agent finishes on its own or may ask back',
			schema: z.enum(['generate', 'chat']),
		},
	],
	options: [
		brandGlossary,
		brandKit,
		...callbackFields,
		agentFiles,
		{ ...look, description: 'The avatar look that must appear; without it the agent chooses one' },
		incognitoMode,
		{ ...orientation, description: 'The shape of the video; without it the agent chooses' },
		style,
		{ ...voice, description: 'The voice that must speak; without it the agent chooses one' },
	],
	durationHint: sessionJob.durationHint,
	starts: (_, { mode }) => (mode === 'chat' ? chatSessionJob : sessionJob),
	files: videoFiles.map((file) => ({ ...file, isDefault: file.value === 'video' })),
	uncertainOutcomeHint:
		'The session may have been created all the same: the service gives no way to repeat this request safely, so it was not repeated. Look with the operation Get Many (newest first) before you run again, or you may pay twice.',
});
