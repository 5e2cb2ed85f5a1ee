import { clone } from './clone';
import { deleteProfessional } from './deleteProfessional';
import { deleteVoice } from './deleteVoice';
import { design } from './design';
import { get } from './get';
import { getMany } from './getMany';
import { getManyProfessional } from './getManyProfessional';
import { getProfessional } from './getProfessional';
import { retrain } from './retrain';
import { train } from './train';

/** The operations of the node; the first of a group is the one that the group starts with. */
export const operations = [
	clone,
	design,
	get,
	getMany,
	deleteVoice,
	train,
	retrain,
	getProfessional,
	getManyProfessional,
	deleteProfessional,
];
