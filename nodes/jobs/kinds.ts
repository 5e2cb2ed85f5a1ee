/** Kinds of job by the names that items carry, with what becomes of them (docs/service.md, States). */
import type { ResultFile } from '../core/jobs/resultFiles';
import type { JobKind } from '../core/jobs/state';
import * as files from './files';
import * as jobs from './catalog';

/** A kind of job that an item may name. */
export interface JobCatalogEntry {
	/** As people choose it from a list. */
	name: string;
	job: JobKind;
	/** What a batch makes of each of its rows. */
	rows?: JobKind;
	/** Files that its result, or that of a row, may hold. */
	files?: readonly ResultFile[];
}

/** What an upload has become. It is awaited as a row of its batch alone. */
const assetJob: JobKind = {
	name: 'asset',
	id: 'asset_id',
	read: 'GET /v3/assets/{asset_id}',
	completed: ['completed'],
	failed: ['failed'],
};

export const jobCatalog: readonly JobCatalogEntry[] = [
	{ name: 'Agent Chat Session', job: jobs.chatSessionJob, files: files.videoFiles },
	{ name: 'Agent Session', job: jobs.sessionJob, files: files.videoFiles },
	{ name: 'Asset Batch', job: jobs.assetBatchJob, rows: assetJob },
	{ name: 'Avatar', job: jobs.avatarGroupJob },
	{ name: 'Avatar Look', job: jobs.lookJob },
	{ name: 'Background Removal', job: jobs.backgroundRemovalJob, files: files.layerFiles },
	{ name: 'Brand Kit', job: jobs.brandKitJob },
	{ name: 'Clipping', job: jobs.clippingJob },
	{ name: 'Composition Render', job: jobs.renderJob, files: files.renderFiles },
	{ name: 'Lipsync', job: jobs.lipsyncJob, files: files.lipsyncFiles },
	{
		name: 'Lipsync Batch',
		job: jobs.lipsyncBatchJob,
		rows: jobs.lipsyncJob,
		files: files.lipsyncFiles,
	},
	{ name: 'Model Video', job: jobs.modelVideoJob, files: files.modelVideoFiles },
	{ name: 'Professional Voice', job: jobs.modelVoiceJob },
	{ name: 'Proofread', job: jobs.proofreadJob, files: files.proofreadFiles },
	{ name: 'Translation', job: jobs.translationJob, files: files.translationFiles },
	{
		name: 'Translation Batch',
		job: jobs.translationBatchJob,
		rows: jobs.translationJob,
		files: files.translationFiles,
	},
	{ name: 'Video', job: jobs.videoJob, files: files.videoFiles },
	{ name: 'Video Batch', job: jobs.videoBatchJob, rows: jobs.videoJob, files: files.videoFiles },
	{ name: 'Voice Clone', job: jobs.voiceCloneJob },
	{ name: 'Workflow Run', job: jobs.workflowRunJob },
];

/** A kind by the name that items carry as `job.kind`. */
export const findJobKind = (name: unknown) => jobCatalog.find(({ job }) => job.name === name);
