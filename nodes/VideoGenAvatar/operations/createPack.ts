import { operation } from '../../core/operation';
import { lookAspectRatioField, referenceLookField } from '../avatarFields';
import { sharedLookCreation } from '../startedLooks';

export const createPack = operation({
	value: 'createPack',
	name: 'Create Look Pack',
	action: 'Create look pack of avatar',
	description: 'Create several new looks of an avatar at once; each becomes an item',
	request: 'POST /v3/avatars/looks',
	fields: [referenceLookField],
	options: [lookAspectRatioField],
	body: ({ payload }) => ({ type: 'look_pack', ...payload }),
	...sharedLookCreation,
});
