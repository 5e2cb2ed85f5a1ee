/** Kinds of job by the names that items carry, with what becomes of them (docs/service.md, States). */
import type { ResultFile } from './core/files/results';
import type { Job } from './core/jobs/job';
import {
	layerFiles,
	lipsyncFiles,
	modelVideoFiles,
	proofreadFiles,
	renderFiles,
	translationFiles,
	videoFiles,
} from './files';
import {
	assetBatchJob,
	avatarGroupJob,
	backgroundRemovalJob,
	brandKitJob,
	chatSessionJob,
	clippingJob,
	lipsyncBatchJob,
	lipsyncJob,
	lookJob,
	modelVideoJob,
	modelVoiceJob,
	proofreadJob,
	renderJob,
	sessionJob,
	translationBatchJob,
	translationJob,
	videoBatchJob,
	videoJob,
	voiceCloneJob,
	workflowRunJob,
} from './jobs';

/** A kind of job that an item may name. */
export interface Kind {
	/** As people choose it from a list. */
	name: string;
	job: Job;
	/** What a batch makes of each of its rows. */
	rows?: Job;
	/** Files that its result, or that of a row, may hold. */
	files?: readonly ResultFile[];
}

/** What an upload has become. It is awaited as a row of its batch alone. */
const assetJob: Job = {
	kind: 'asset',
	id: 'asset_id',
	read: 'GET /v3/assets/{asset_id}',
	completed: ['completed'],
	failed: ['failed'],
};

export const kinds: readonly Kind[] = [
	{ name: 'Agent Chat Session', job: chatSessionJob, files: videoFiles },
	{ name: 'Agent Session', job: sessionJob, files: videoFiles },
	{ name: 'Asset Batch', job: assetBatchJob, rows: assetJob },
	{ name: 'Avatar', job: avatarGroupJob },
	{ name: 'Avatar Look', job: lookJob },
	{ name: 'Background Removal', job: backgroundRemovalJob, files: layerFiles },
	{ name: 'Brand Kit', job: brandKitJob },
	{ name: 'Clipping', job: clippingJob },
	{ name: 'Composition Render', job: renderJob, files: renderFiles },
	{ name: 'Lipsync', job: lipsyncJob, files: lipsyncFiles },
	{ name: 'Lipsync Batch', job: lipsyncBatchJob, rows: lipsyncJob, files: lipsyncFiles },
	{ name: 'Model Video', job: modelVideoJob, files: modelVideoFiles },
	{ name: 'Professional Voice', job: modelVoiceJob },
	{ name: 'Proofread', job: proofreadJob, files: proofreadFiles },
	{ name: 'Translation', job: translationJob, files: translationFiles },
	{
		name: 'Translation Batch',
		job: translationBatchJob,
		rows: translationJob,
		files: translationFiles,
	},
	{ name: 'Video', job: videoJob, files: videoFiles },
	{ name: 'Video Batch', job: videoBatchJob, rows: videoJob, files: videoFiles },
	{ name: 'Voice Clone', job: voiceCloneJob },
	{ name: 'Workflow Run', job: workflowRunJob },
];

/** A kind by the name that items carry as `job.kind`. */
export const kindOf = (name: unknown) => kinds.find(({ job }) => job.kind === name);
