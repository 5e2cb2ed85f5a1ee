import { defineOperation } from '../../core/operation';
import { lookAspectRatioField, referenceLookField } from '../avatarFields';
import { lookCreationOperationBase } from '../startedLooks';

export const createPack = defineOperation({
	value: 'createPack',
	name: 'Create Look Pack',
	action: 'Create look pack for avatar',
	description: 'Create several new looks for an avatar at once, with one output item per look',
	request: 'POST /v3/avatars/looks',
	returns: ['look_ids', 'group_id', 'status'],
	fields: [referenceLookField],
	options: [lookAspectRatioField],
	body: ({ payload }) => ({ type: 'look_pack', ...payload }),
	...lookCreationOperationBase,
	sample: {
		reply: {
			group_id: 'sample_avatar_{n}',
			look_ids: ['sample_look_{n}_1', 'sample_look_{n}_2', 'sample_look_{n}_3'],
		},
	},
});
