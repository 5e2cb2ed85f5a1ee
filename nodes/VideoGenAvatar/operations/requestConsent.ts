import { z } from 'zod';
import { operation } from '../../core/operation';
import { buildFileField } from '../../fields/asset';
import { ownAvatarGroup } from '../avatarGroup';

export const requestConsent = operation({
	value: 'requestConsent',
	name: 'Request Consent',
	action: 'Ask a person to consent to an avatar',
	description: 'Get a page on which the person shown consents, or hand in their consent as a film',
	request: 'POST /v3/avatars/{group_id}/consent',
	fields: [
		{ ...ownAvatarGroup, required: true },
		{
			displayName: 'Consent By',
			name: 'consentBy',
			type: 'options',
			options: [
				{
					name: 'Page',
					value: 'page',
					description: 'The result holds the URL of a page to send to the person',
				},
				{ name: 'Video', value: 'video', description: 'A film in which the person consents' },
			],
			default: 'page',
			description: 'How the person consents. The address of a page is good for about 24 hours.',
			schema: z.enum(['page', 'video']),
			in: 'local',
		},
		{
			...buildFileField('consent.mp4', 'The film of the consent'),
			displayName: 'Consent Video',
			name: 'consent_video',
			displayOptions: { show: { consentBy: ['video'] } },
		},
		{
			displayName: 'Return Address',
			name: 'reroute_url',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://example.com/thank-you',
			displayOptions: { show: { consentBy: ['page'] } },
			description: 'The web address to which the page leads when the person is done',
			schema: z.string().url(),
		},
	],
	options: [
		{
			displayName: 'Consent Text',
			name: 'consent_text',
			type: 'string',
			typeOptions: { rows: 3 },
			default: '',
			description:
				'Your own words to consent to, up to 1,000 characters without angle brackets (enterprise accounts)',
			schema: z
				.string()
				.min(1)
				.max(1000)
				.regex(/^[^<>]*$/, 'may not hold angle brackets (< or >)'),
		},
	],
	idempotent: true,
});
