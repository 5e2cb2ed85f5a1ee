import { operation } from '../../core/operation';
import { lookRatio, referenceLook } from '../form';
import { looks } from '../groups';
import { startedLooks } from '../started';

export const createLookPack = operation({
	value: 'createLookPack',
	group: looks,
	name: 'Create Look Pack',
	action: 'Create a pack of looks',
	description: 'Make several new looks of an avatar at once; each becomes an item',
	request: 'POST /v3/avatars/looks',
	fields: [referenceLook],
	options: [lookRatio],
	body: ({ plain }) => ({ type: 'look_pack', ...plain }),
	idempotent: true,
	starts: startedLooks,
});
