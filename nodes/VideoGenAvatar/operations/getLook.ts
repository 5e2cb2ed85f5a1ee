import { operation } from '../../core/operation';
import { lookToRead } from '../form';

export const getLook = operation({
	value: 'get',
	name: 'Get',
	action: 'Get a look',
	description: 'Read status, picture, engines and default voice of a look',
	request: 'GET /v3/avatars/looks/{look_id}',
	fields: [lookToRead],
});
