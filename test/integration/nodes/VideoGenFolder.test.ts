import { resources } from '../../../nodes/VideoGenFolder/operations';
import { byId, runNode } from '../support/engine';
import { describeOperations, first, type Case } from '../support/cases';
import { useService } from '../support/service';

const cases: Record<string, Case> = {
	create: {
		parameters: () => ({
			operation: 'create',
			name: 'Spring',
			options: { parent_id: byId('folder_001'), type: 'video_translate' },
		}),
		sends: () => ({
			line: 'POST /v3/folders',
			body: { name: 'Spring', parent_id: 'folder_001', type: 'video_translate' },
		}),
		keyed: true,
		returns: (items) => {
			expect(first(items)).toMatchObject({
				folder_id: expect.any(String),
				name: 'Spring',
				type: 'video_translate',
				parent_id: 'folder_001',
			});
		},
	},
	get: {
		parameters: () => ({ operation: 'get', folder_id: byId('folder_002') }),
		sends: () => ({ line: 'GET /v3/folders/folder_002', query: {} }),
		returns: (items) => {
			expect(first(items)).toMatchObject({ folder_id: 'folder_002', name: 'Onboarding' });
		},
	},
};

describeOperations('VideoGenFolder', resources, cases);

describe('folder', () => {
	const service = useService();

	test.each([
		['', /^"Name" is required/],
		['x'.repeat(257), /^"Name" must have at most 256 characters, but has 257/],
	])('is not asked for with a name that is too short or too long', async (name, message) => {
		const { error } = await runNode(
			service,
			'VideoGenFolder',
			{ operation: 'create', name: '={{ $json.name }}' },
			{ items: [{ json: { name } }] },
		);
		expect(error?.message).toMatch(message);
		expect(service.control.requests()).toHaveLength(0);
	});

	test.each(['n', 'ü'.repeat(256)])('may have a name of 1 to 256 characters', async (name) => {
		const { items } = await runNode(service, 'VideoGenFolder', { operation: 'create', name });
		expect(items[0]?.json).toMatchObject({ name, type: 'mixed', parent_id: null });
		const [request] = service.control.requests();
		expect(request?.body).toEqual({ name });
	});

	test('creates one folder per item, and only one if the response is lost', async () => {
		service.control.fail({ path: '/v3/folders', cut: 'after', times: 1 });
		const { items } = await runNode(
			service,
			'VideoGenFolder',
			{ operation: 'create', name: '={{ $json.name }}' },
			{ items: ['a', 'b', 'c'].map((name) => ({ json: { name } })) },
		);
		expect(items.map(({ json }) => json.name)).toEqual(['a', 'b', 'c']);
		expect(service.control.requests()).toHaveLength(4);
		const keys = service.control.requests().map(({ headers }) => headers['idempotency-key']);
		expect(new Set(keys).size).toBe(3);
	});

	test('create fails if the account cannot create folders', async () => {
		const { error } = await runNode(service, 'VideoGenFolder', {
			operation: 'create',
			name: 'x',
			options: { parent_id: byId('folder_assets') },
		});
		expect(error?.httpCode).toBe('400');
		expect(error?.description).toContain('parent_id');
	});
});
