import type { IDataObject } from 'n8n-workflow';
import type { StartedJob } from '../core/jobs/job';
import { textOf } from '../core/json';
import { videoFiles } from '../files';
import { chatSessionJob, videoJob } from '../jobs';

/**
 * What a follow-up turn starts: its new working draft, where the reply names one, else the
 * session goes on by itself (docs/service.md, Resources). The video that the session had before
 * is no result of the turn.
 */
function started(
	{ session_id, video_id }: IDataObject,
	_: unknown,
	before: IDataObject,
): StartedJob[] {
	const draft = textOf(video_id);
	if (draft !== undefined) return [{ job: videoJob, id: draft }];
	const session = textOf(session_id);
	return session === undefined ? [] : [{ job: chatSessionJob, id: session, before }];
}

/** What all follow-up turns share. The service takes no idempotency key for them. */
export const turn = {
	readFirst: 'GET /v3/video-agents/{session_id}',
	starts: started,
	files: videoFiles,
	mayExist:
		'The turn may have been taken all the same, so it was not repeated. Read the session with the operation Get and look at its messages and video ID before you run again.',
} as const;
