import { z } from 'zod';
import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { createTextSchema, formatNumber } from '../../core/form/validation';
import { buildFileField } from '../../fields/asset';
import { ownAvatarGroupField } from '../avatarGroup';

const { consent_text: consentText } = apiLimits['POST /v3/avatars/{group_id}/consent'];

export const requestConsent = defineOperation({
	value: 'requestConsent',
	name: 'Request Consent',
	action: 'Request consent for avatar',
	description:
		'Get the URL of a consent page for the person an avatar is based on, or submit a video of their consent',
	request: 'POST /v3/avatars/{group_id}/consent',
	returns: ['url'],
	fields: [
		{ ...ownAvatarGroupField, required: true },
		{
			displayName: 'Consent Method',
			name: 'consentBy',
			type: 'options',
			options: [
				{
					name: 'Consent Page',
					value: 'page',
					description: 'Return the URL of a consent page to send to the person',
				},
				{
					name: 'Consent Video',
					value: 'video',
					description: 'Submit a video of the person giving consent',
				},
			],
			default: 'page',
			description: 'Consent method. The URL of a consent page is valid for about 24 hours.',
			schema: z.enum(['page', 'video']),
			in: 'local',
		},
		{
			...buildFileField('consent.mp4', 'The consent video', 'searchVideos'),
			displayName: 'Consent Video',
			name: 'consent_video',
			displayOptions: { show: { consentBy: ['video'] } },
		},
		{
			displayName: 'Return URL',
			name: 'reroute_url',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://example.com/thank-you',
			displayOptions: { show: { consentBy: ['page'] } },
			description: 'URL of the page that the person sees after giving consent',
			schema: z
				.string()
				.url()
				.regex(/^https?:\/\//i, 'must begin with http:// or https://'),
		},
	],
	options: [
		{
			displayName: 'Consent Text',
			name: 'consent_text',
			type: 'string',
			typeOptions: { rows: 3 },
			default: '',
			description: `Custom consent text for enterprise accounts, up to ${formatNumber(consentText.max)} characters without angle brackets`,
			schema: createTextSchema(consentText).pipe(
				z.string().regex(/^[^<>]*$/, 'must not contain angle brackets (< or >)'),
			),
		},
	],
	idempotent: true,
});
