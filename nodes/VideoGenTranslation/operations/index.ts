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

/** The operations of the node; the first is the one a new node starts with. */
export const operations = [
	create,
	createBatch,
	getBatch,
	get,
	getMany,
	getStatuses,
	getLanguages,
	update,
	deleteTranslation,
	download,
	createProofread,
	getProofread,
	getProofreadSubtitles,
	replaceProofreadSubtitles,
	generate,
];
