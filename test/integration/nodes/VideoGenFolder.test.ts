import { resources } from '../../../nodes/VideoGenFolder/operations';
import { byId } from '../support/engine';
import { describeOperations, type Cases } from '../support/cases';

const cases: Cases = {
	create: {
		line: 'POST /v3/folders',
		parameters: {
			name: 'Spring',
			options: { parent_id: byId('folder_001'), type: 'video_translate' },
		},
		keyed: true,
	},
	get: 'GET /v3/folders/folder_002',
};

describeOperations('VideoGenFolder', resources, cases);
