import { z } from 'zod';
import { defineOperation } from '../../core/operation';
import { voiceGenderField } from '../voiceFields';

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many voices',
	description: 'List your own voices or those in the public catalog',
	request: 'GET /v3/voices',
	fields: [
		{
			displayName: 'Type',
			name: 'type',
			type: 'options',
			options: [
				{ name: 'Own', value: 'private', description: 'Voices created in your account' },
				{ name: 'Public', value: 'public', description: 'Voices in the public catalog' },
			],
			default: 'public',
			description: 'Type of voices to list; use an expression for other types',
			schema: z.string().min(1),
		},
	],
	options: [
		{
			displayName: 'Engine',
			name: 'engine',
			type: 'string',
			default: '',
			description: 'Engine of the voices. If not set, all engines.',
		},
		voiceGenderField,
		{
			displayName: 'Language',
			name: 'language',
			type: 'string',
			default: '',
			placeholder: 'e.g. English',
			description: "English name of the voices' language. If not set, all languages.",
		},
	],
	list: { pageSize: 100 },
	simple: ['name', 'language', 'gender', 'type', 'support_pause'],
});
