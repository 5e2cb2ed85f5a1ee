import { resources } from '../../../nodes/VideoGenFolder/operations';
import { byId } from '../support/engine';
import { describeOperations, type Case, withId } from '../support/cases';

const cases: Record<string, Case> = {
	create: {
		parameters: () => ({
			name: 'Spring',
			options: { parent_id: byId('folder_001'), type: 'video_translate' },
		}),
		sends: () => ({
			line: 'POST /v3/folders',
			body: { name: 'Spring', parent_id: 'folder_001', type: 'video_translate' },
		}),
		keyed: true,
	},
	get: withId('GET /v3/folders/{folder_id}', { folder_id: 'folder_002' }),
};

describeOperations('VideoGenFolder', resources, cases);
