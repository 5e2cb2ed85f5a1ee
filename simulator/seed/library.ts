import { buildPublicUrl } from '../media';
import { addRow, type State } from '../store';
import { secondsPerDay, createNumberedId, pickCyclic, aspectRatios } from './shared';

const agentStyleNames = (
	'Silver Screen, Night Drive, Golden Hour, Wide Desert, Tape Deck, Green Terminal, ' +
	'Pixel Arcade, Dial-up, Water Lilies, Bold Cubes, Starry Swirl, Ink Wave, Comic Panel, ' +
	'Soda Pop, Neon Mall, Chart Topper, Felt Puppets, Clay Town, Paper Cut, Cross Stitch, ' +
	'Front Page, Risograph, Letterpress, Blueprint, Zine, Magazine Cover'
).split(', ');
const agentStyleTags = [
	'cinematic',
	'retro-tech',
	'iconic-artist',
	'pop-culture',
	'handmade',
	'print',
];

export function seedLibrary(state: State, start: number, baseUrl: string) {
	agentStyleNames.forEach((name, index) => {
		addRow(state, state.styles, {
			id: createNumberedId('style', index),
			name,
			tags: [pickCyclic(agentStyleTags, Math.floor(index / 4))],
			ratio: pickCyclic(aspectRatios, index),
		});
	});

	['Bakery', 'Harbour Bank', 'Night Bus', 'Village School'].forEach((name, index) => {
		const id = createNumberedId('kit', index);
		addRow(state, state.kits, {
			id,
			name,
			status: 'completed',
			colors: ['#1F3A5F', '#F2B134', '#FFFFFF'],
			colorRoles: { primary: '#1F3A5F', accent: '#F2B134' },
			logos: [
				{ logo_id: `${id}_logo`, name: 'Logo', url: buildPublicUrl(baseUrl, id, 'thumbnail.jpg') },
			],
			logoRoles: { primary: `${id}_logo` },
			fonts: [
				{ font_id: `${id}_font_1`, name: 'Plain Sans' },
				{ font_id: `${id}_font_2`, name: 'Plain Serif' },
			],
			fontRoles: { title_text: { font_id: `${id}_font_1`, weight: 700 } },
		});
	});

	['Product names', 'Medicine', 'Town names'].forEach((name, index) => {
		addRow(state, state.glossaries, {
			id: createNumberedId('glossary', index),
			name,
			created: start - (30 - index) * secondsPerDay,
			updated: start - (10 - index) * secondsPerDay,
			terms: [{ term: 'gif', pronunciation: 'jif' }],
			keep: [{ term: 'Night Bus' }],
			forced: [{ term: 'checkout', translation: 'Kasse' }],
		});
	});

	(['Campaigns', 'Onboarding', 'Translations'] as const).forEach((name, index) => {
		addRow(state, state.folders, {
			id: createNumberedId('folder', index),
			name,
			type: name === 'Translations' ? 'video_translate' : 'mixed',
			parentId: null,
			trashed: false,
			customerKey: false,
			created: start - (60 - index) * secondsPerDay,
			updated: start - (20 - index) * secondsPerDay,
		});
	});
	addRow(state, state.folders, {
		id: 'folder_trashed',
		name: 'Old drafts',
		type: 'mixed',
		parentId: null,
		trashed: true,
		customerKey: false,
		created: start - 90 * secondsPerDay,
		updated: start - 80 * secondsPerDay,
	});
	addRow(state, state.folders, {
		id: 'folder_assets',
		name: 'Uploads',
		type: 'asset',
		parentId: null,
		trashed: false,
		customerKey: false,
		created: start - 90 * secondsPerDay,
		updated: start - 80 * secondsPerDay,
	});
}

export function seedVideos(state: State, start: number) {
	['Spring sale', 'Summer sale', 'Welcome aboard', 'How to log in', 'Autumn sale'].forEach(
		(title, index) => {
			const created = start - (9 - index) * secondsPerDay;
			addRow(state, state.videos, {
				id: createNumberedId('video', index),
				status: 'completed',
				title,
				created,
				completed: created + 90,
				duration: 14.2 + index,
				folder: index === 2 || index === 3 ? 'folder_002' : 'folder_001',
				format: 'mp4',
				captions: 'burned',
				gif: 'usual',
				failure: null,
				callbackUrl: null,
				callbackId: null,
				outputLanguage: null,
				sessionId: null,
				text: null,
				composition: {
					edit_version: `seed-${index + 1}`,
					video: {
						title,
						aspect_ratio: '16:9',
						resolution: '1080p',
						caption: { enabled: true },
						brand_glossary_id: null,
					},
					scenes: [
						{
							id: `scene_${index + 1}_1`,
							background: { type: 'color', color: '#FFFFFF' },
							elements: [
								{
									type: 'avatar',
									id: `element_${index + 1}_1`,
									avatar_id: 'look_001_1',
									engine: 'avatar_iv',
									expressiveness: 'low',
									motion_prompt: null,
								},
							],
							script: {
								type: 'text',
								id: `script_${index + 1}_1`,
								text: `This is about: ${title}.`,
								voice_id: 'voice_001',
								voice_settings: null,
								trim_to_speech: false,
							},
						},
					],
				},
			});
		},
	);
}
