import { z } from 'zod';
import { apiLimits, apiValues } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { nameValues } from '../../fields/namedValues';
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
			options: nameValues(apiValues['GET /v3/voices'].type, {
				private: { name: 'Own', description: 'Voices created in your account' },
				public: { name: 'Public', description: 'Voices in the public catalog' },
			}),
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
			description: 'Voice engine. If not set, voices from all engines are listed.',
		},
		voiceGenderField,
		{
			displayName: 'Language',
			name: 'language',
			type: 'string',
			default: '',
			placeholder: 'e.g. English',
			description:
				"English name of the voices' language. If not set, voices in all languages are listed.",
		},
	],
	list: { pageSize: apiLimits['GET /v3/voices'].limit.max },
	simple: ['name', 'language', 'gender', 'type', 'support_pause'],
});
