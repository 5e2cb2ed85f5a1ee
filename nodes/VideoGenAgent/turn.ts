import type { IDataObject } from 'n8n-workflow';
import type { StartedJob } from '../core/jobs/job';
import { sessionJob, videoJob } from '../jobs';

/**
 * What a follow-up turn starts: its new working draft, where the reply names one, else the
 * session goes on by itself (specification, POST /v3/video-agents/{session_id}).
 */
function started({ session_id: id, video_id: draft }: IDataObject): StartedJob[] {
	if (typeof draft === 'string' && draft !== '') return [{ job: videoJob, id: draft }];
	return typeof id === 'string' ? [{ job: sessionJob, id }] : [];
}

/** What all follow-up turns share. The service takes no idempotency key for them. */
export const turn = {
	starts: started,
	mayExist:
		'The turn may have been taken all the same, so it was not repeated. Read the session with the operation Get and look at its messages and video ID before you run again.',
} as const;
