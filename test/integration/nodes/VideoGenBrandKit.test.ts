import { operations } from '../../../nodes/VideoGenBrandKit/operations';
import { byId } from '../support/engine';
import { describeOperations, few, first, noWait, type Case } from '../support/cases';

const cases: Record<string, Case> = {
	create: {
		parameters: () => ({
			url: 'https://bakery.example/',
			...noWait,
			options: { name: 'Bakery' },
		}),
		sends: () => ({
			line: 'POST /v3/brand-kits',
			body: { url: 'https://bakery.example/', name: 'Bakery' },
		}),
		keyed: true,
		returns: (items) => {
			expect(first(items)).toEqual({
				brand_kit_id: expect.any(String),
				status: 'loading',
				job: { kind: 'brand_kit', id: first(items).brand_kit_id },
			});
		},
	},
	get: {
		parameters: () => ({ brand_kit_id: byId('kit_001') }),
		sends: () => ({ line: 'GET /v3/brand-kits/kit_001', query: {} }),
		returns: (items) => {
			expect(first(items)).toMatchObject({
				brand_kit_id: 'kit_001',
				name: 'Bakery',
				status: 'completed',
				colors: ['#1F3A5F', '#F2B134', '#FFFFFF'],
				logo_roles: { primary: 'kit_001_logo' },
			});
		},
	},
	getAll: {
		parameters: () => ({ ...few }),
		sends: () => ({ line: 'GET /v3/brand-kits', query: { limit: '3' } }),
		returns: (items) => {
			expect(items.map(({ json }) => json.name)).toEqual(['Bakery', 'Harbour Bank', 'Night Bus']);
		},
	},
	update: {
		parameters: () => ({
			brand_kit_id: byId('kit_001'),
			name: 'New bakery',
			colorChange: 'replace',
			color_roles: {
				primary: '#102030',
				secondary: '#a0b0c0',
				tertiary: '#ffffff',
				accent: '#ff8800',
			},
			logoChange: 'replace',
			logo_id: byId('kit_001_logo'),
			fontChange: 'replace',
			font_roles: {
				title_text: { font_id: byId('kit_001_font_2'), weight: 1000 },
				body_text: { font_id: byId('kit_001_font_1'), weight: '1' },
			},
		}),
		sends: () => ({
			line: 'PATCH /v3/brand-kits/kit_001',
			body: {
				name: 'New bakery',
				color_roles: {
					primary: '#102030',
					secondary: '#a0b0c0',
					tertiary: '#ffffff',
					accent: '#ff8800',
				},
				logo_roles: { primary: 'kit_001_logo' },
				font_roles: {
					title_text: { font_id: 'kit_001_font_2', weight: 1000 },
					body_text: { font_id: 'kit_001_font_1', weight: 1 },
				},
			},
		}),
		returns: (items) => {
			expect(first(items)).toMatchObject({
				brand_kit_id: 'kit_001',
				name: 'New bakery',
				color_roles: { accent: '#ff8800' },
				font_roles: { title_text: { font_id: 'kit_001_font_2', weight: 1000 } },
			});
		},
	},
	delete: {
		parameters: () => ({ brand_kit_id: byId('kit_002') }),
		sends: () => ({ line: 'DELETE /v3/brand-kits/kit_002', query: {} }),
		returns: (items) => {
			expect(first(items)).toEqual({ brand_kit_id: 'kit_002' });
		},
	},
};

describeOperations('VideoGenBrandKit', operations, cases);
