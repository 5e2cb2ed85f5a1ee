import { z } from 'zod';
import { operation } from '../../core/operation';
import { voiceGender } from '../voiceFields';

export const getMany = operation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many voices',
	description: 'List the voices of the public catalog, or your own',
	request: 'GET /v3/voices',
	fields: [
		{
			displayName: 'Type',
			name: 'type',
			type: 'options',
			options: [
				{ name: 'Own', value: 'private', description: 'Voices that the account has made' },
				{ name: 'Public', value: 'public', description: 'Voices of the catalog' },
			],
			default: 'public',
			description: 'Which voices to list; an expression may give another type',
			schema: z.string().min(1),
		},
	],
	options: [
		{
			displayName: 'Engine',
			name: 'engine',
			type: 'string',
			default: '',
			description: 'Only voices of this engine',
		},
		voiceGender,
		{
			displayName: 'Language',
			name: 'language',
			type: 'string',
			default: '',
			placeholder: 'e.g. English',
			description: 'Only voices of this language, by its English name',
		},
	],
	list: { pageSize: 100 },
	simple: ['name', 'language', 'gender', 'type', 'support_pause'],
});
