import type { Resource } from '../../core/operation';
import { createDigitalTwin } from './createDigitalTwin';
import { createFromPhoto } from './createFromPhoto';
import { createFromPrompt } from './createFromPrompt';
import { createFromTemplate } from './createFromTemplate';
import { createPack } from './createPack';
import { deleteAvatar } from './deleteAvatar';
import { deleteLook } from './deleteLook';
import { get } from './get';
import { getLook } from './getLook';
import { getMany } from './getMany';
import { getManyLooks } from './getManyLooks';
import { requestConsent } from './requestConsent';
import { update } from './update';
import { updateLook } from './updateLook';

export const resources: readonly Resource[] = [
	{
		name: 'Avatar',
		value: 'avatar',
		id: 'group_id',
		operations: [
			createFromPrompt,
			createFromPhoto,
			createDigitalTwin,
			requestConsent,
			get,
			getMany,
			update,
			deleteAvatar,
		],
	},
	{
		name: 'Look',
		value: 'look',
		id: 'look_id',
		operations: [createPack, createFromTemplate, getLook, getManyLooks, updateLook, deleteLook],
	},
];
