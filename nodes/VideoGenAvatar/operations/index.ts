import { consent } from './consent';
import { createFromPhoto } from './createFromPhoto';
import { createFromPrompt } from './createFromPrompt';
import { createFromTemplate } from './createFromTemplate';
import { createLookPack } from './createLookPack';
import { createTwin } from './createTwin';
import { deleteAvatar } from './deleteAvatar';
import { deleteLook } from './deleteLook';
import { get } from './get';
import { getLook } from './getLook';
import { getMany } from './getMany';
import { getManyLooks } from './getManyLooks';
import { renameLook } from './renameLook';
import { update } from './update';

/** The operations of the node; the first is the one a new node starts with. */
export const operations = [
	createFromPrompt,
	createFromPhoto,
	createTwin,
	consent,
	get,
	getMany,
	update,
	deleteAvatar,
	createLookPack,
	createFromTemplate,
	getLook,
	getManyLooks,
	renameLook,
	deleteLook,
];
