import { operation } from '../../core/operation';
import { lookToChange } from '../form';

export const deleteLook = operation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete a look',
	description: 'Delete a look of yours for good; with its last look an avatar is deleted too',
	request: 'DELETE /v3/avatars/looks/{look_id}',
	fields: [lookToChange],
});
