import type { Resource } from '../../core/operation';
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

export const resources: readonly Resource[] = [
	{
		name: 'Voice',
		value: 'voice',
		id: 'voice_id',
		operations: [clone, design, get, getMany, deleteVoice],
	},
	{
		name: 'Professional Voice',
		value: 'professionalVoice',
		id: 'voice_id',
		operations: [train, retrain, getProfessional, getManyProfessional, deleteProfessional],
	},
];
