import type { Resource } from '../../core/operation';
import { create } from './create';
import { createBatch } from './createBatch';
import { createProofread } from './createProofread';
import { deleteTranslation } from './deleteTranslation';
import { download } from './download';
import { generate } from './generate';
import { get } from './get';
import { getBatch } from './getBatch';
import { getLanguages } from './getLanguages';
import { getMany } from './getMany';
import { getProofread } from './getProofread';
import { getProofreadSubtitles } from './getProofreadSubtitles';
import { getStatuses } from './getStatuses';
import { replaceProofreadSubtitles } from './replaceProofreadSubtitles';
import { update } from './update';

export const resources: readonly Resource[] = [
	{
		name: 'Translation',
		value: 'translation',
		id: 'video_translation_id',
		operations: [
			create,
			createBatch,
			download,
			get,
			getMany,
			getStatuses,
			getBatch,
			getLanguages,
			update,
			deleteTranslation,
		],
	},
	{
		name: 'Proofread',
		value: 'proofread',
		id: 'proofread_id',
		operations: [
			createProofread,
			getProofread,
			getProofreadSubtitles,
			replaceProofreadSubtitles,
			generate,
		],
	},
];
