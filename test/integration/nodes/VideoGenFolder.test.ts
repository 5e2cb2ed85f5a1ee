import { resources } from '../../../nodes/VideoGenFolder/operations';
import { byId } from '../support/engine';
import { describeOperations, type Case } from '../support/cases';

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
	get: {
		parameters: () => ({ folder_id: byId('folder_002') }),
		sends: () => ({ line: 'GET /v3/folders/folder_002', query: {} }),
	},
};

describeOperations('VideoGenFolder', resources, cases);
