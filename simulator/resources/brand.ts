import { createNotFoundError, createError } from '../errors';
import { respond } from '../http/responses';
import { respondWithPage } from '../http/pagination';
import type { Route } from '../http/route';
import { startJob } from '../jobs';
import { buildPublicUrl } from '../media';
import type { BrandKit, BrandGlossary } from '../rows';
import type { Requests } from '../requestTypes';
import type { Service } from '../service';
import { addRow, findRow, createId } from '../store';

export function registerBrand(route: Route, service: Service) {
	registerKits(route, service);
	registerGlossaries(route, service);
}

function registerKits(route: Route, service: Service) {
	const findKit = (id: string | undefined) =>
		findRow(service.state.kits, id, 'Brand kit', 'resource_not_found');

	const viewBrandKit = (kit: BrandKit) => ({
		brand_kit_id: kit.id,
		name: kit.name,
		status: kit.status,
		colors: kit.colors,
		color_roles: kit.colorRoles,
		logos: kit.logos,
		logo_roles: kit.logoRoles,
		fonts: kit.fonts,
		font_roles: kit.fontRoles,
	});

	route('POST /v3/brand-kits', ({ body }) => {
		const kit = addRow<BrandKit>(service.state, service.state.kits, {
			id: createId('kit_'),
			name: body.name ?? new URL(body.url).hostname,
			status: 'loading',
			colors: [],
			colorRoles: {},
			logos: [],
			logoRoles: {},
			fonts: [],
			fontRoles: {},
		});
		startJob(service, 'brand_kit', {
			id: kit.id,
			record: kit,
			complete: () => {
				const logo = `${kit.id}_logo`;
				const font = `${kit.id}_font_1`;
				kit.status = 'completed';
				kit.colors = ['#204060', '#E0A020'];
				kit.colorRoles = { primary: '#204060' };
				kit.logos = [
					{
						logo_id: logo,
						name: 'Logo',
						url: buildPublicUrl(service.baseUrl, kit.id, 'thumbnail.jpg'),
					},
				];
				kit.logoRoles = { primary: logo };
				kit.fonts = [{ font_id: font, name: 'Plain Sans' }];
				kit.fontRoles = { body_text: { font_id: font, weight: 400 } };
			},
			fail: () => void (kit.status = 'error'),
		});
		return respond({ brand_kit_id: kit.id, status: kit.status });
	});

	route('GET /v3/brand-kits', ({ query }) =>
		respondWithPage(
			service,
			'kits',
			service.state.kits.values(),
			query,
			(kit) => ({
				brand_kit_id: kit.id,
				name: kit.name,
				logo_url: kit.logos[0]?.url ?? null,
				colors: kit.colors,
			}),
			'catalog',
		),
	);

	route('GET /v3/brand-kits/{brand_kit_id}', ({ params }) =>
		respond(viewBrandKit(findKit(params.brand_kit_id))),
	);

	route('PATCH /v3/brand-kits/{brand_kit_id}', ({ params, body }) => {
		const kit = findKit(params.brand_kit_id);
		if (service.state.workspace.lockedBrandKit !== null) {
			throw createError(403, 'brand_kit_locked', 'The brand policy locks the brand kits');
		}
		const roles = body.color_roles ?? body.logo_roles ?? body.font_roles;
		if (roles && kit.status !== 'completed') {
			throw createError(409, 'brand_kit_not_ready', `The brand kit is ${kit.status}`);
		}
		const logo = body.logo_roles?.primary;
		if (logo && !kit.logos.some(({ logo_id }) => logo_id === logo)) {
			throw createNotFoundError('asset_not_found', `Logo ${logo}`, 'logo_roles.primary');
		}
		for (const [role, font] of Object.entries(body.font_roles ?? {})) {
			if (!kit.fonts.some(({ font_id }) => font_id === font?.font_id)) {
				throw createNotFoundError(
					'asset_not_found',
					`Font ${font?.font_id}`,
					`font_roles.${role}.font_id`,
				);
			}
		}
		kit.name = body.name ?? kit.name;
		kit.colorRoles = body.color_roles ?? kit.colorRoles;
		kit.logoRoles = body.logo_roles ?? kit.logoRoles;
		kit.fontRoles = body.font_roles ?? kit.fontRoles;
		return respond(viewBrandKit(kit));
	});

	route('DELETE /v3/brand-kits/{brand_kit_id}', ({ params }) => {
		const { id } = findKit(params.brand_kit_id);
		service.state.kits.delete(id);
		return respond({ brand_kit_id: id });
	});
}

type TermLists = Omit<Requests['PATCH /v3/brand-glossaries/{brand_glossary_id}']['body'], 'name'>;

function registerGlossaries(route: Route, service: Service) {
	const findGlossary = (id: string | undefined) =>
		findRow(service.state.glossaries, id, 'Brand glossary', 'resource_not_found');

	const viewSummary = (glossary: BrandGlossary) => ({
		brand_glossary_id: glossary.id,
		name: glossary.name,
		created_at: Math.floor(glossary.created),
		updated_at: Math.floor(glossary.updated),
	});

	const viewBrandKit = (glossary: BrandGlossary) => ({
		...viewSummary(glossary),
		terms: glossary.terms,
		do_not_translate_terms: glossary.keep,
		forced_translations: glossary.forced,
	});

	const rejectDuplicates = (
		body: TermLists & { name?: string | undefined },
		edited?: BrandGlossary,
	) => {
		const foldCase = (value: string) => value.toLowerCase();
		for (const other of service.state.glossaries.values()) {
			if (
				other !== edited &&
				body.name !== undefined &&
				foldCase(other.name) === foldCase(body.name)
			) {
				throw createError(409, 'conflict', `A glossary named ${body.name} exists`, 'name');
			}
		}
		for (const list of ['terms', 'do_not_translate_terms', 'forced_translations'] as const) {
			const seen = new Set<string>();
			for (const [index, entry] of (body[list] ?? []).entries()) {
				if (seen.has(foldCase(entry.term))) {
					throw createError(
						409,
						'conflict',
						`${entry.term} is there twice`,
						`${list}[${index}].term`,
					);
				}
				seen.add(foldCase(entry.term));
			}
		}
	};

	route('POST /v3/brand-glossaries', ({ body, now }) => {
		rejectDuplicates(body);
		const glossary = addRow<BrandGlossary>(service.state, service.state.glossaries, {
			id: createId('glossary_'),
			name: body.name,
			created: now,
			updated: now,
			terms: body.terms ?? [],
			keep: body.do_not_translate_terms ?? [],
			forced: body.forced_translations ?? [],
		});
		return respond(viewBrandKit(glossary));
	});

	route('GET /v3/brand-glossaries', ({ query }) =>
		respondWithPage(
			service,
			'glossaries',
			service.state.glossaries.values(),
			query,
			viewSummary,
			'catalog',
		),
	);

	route('GET /v3/brand-glossaries/{brand_glossary_id}', ({ params }) =>
		respond(viewBrandKit(findGlossary(params.brand_glossary_id))),
	);

	route('PATCH /v3/brand-glossaries/{brand_glossary_id}', ({ params, body, now }) => {
		const glossary = findGlossary(params.brand_glossary_id);
		rejectDuplicates(body, glossary);
		glossary.name = body.name ?? glossary.name;
		glossary.terms = body.terms ?? glossary.terms;
		glossary.keep = body.do_not_translate_terms ?? glossary.keep;
		glossary.forced = body.forced_translations ?? glossary.forced;
		glossary.updated = now;
		return respond(viewBrandKit(glossary));
	});

	route('DELETE /v3/brand-glossaries/{brand_glossary_id}', ({ params }) => {
		const { id } = findGlossary(params.brand_glossary_id);
		service.state.glossaries.delete(id);
		return respond({ brand_glossary_id: id });
	});
}
