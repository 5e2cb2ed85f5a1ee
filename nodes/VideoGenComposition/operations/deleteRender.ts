import { defineOperation } from '../../core/operation';
import { compositionRenderField } from '../render';

export const deleteRender = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete rendered composition',
	description: 'Permanently delete a composition render',
	request: 'DELETE /v3/hyperframes/renders/{render_id}',
	fields: [{ ...compositionRenderField, required: true }],
});
