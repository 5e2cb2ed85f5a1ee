import { publicUrl } from './media';
import { add, emptyState, type Look, type State } from './store';

// The catalog that every fresh service has. All names are invented; ids are fixed, so that
// workflows and tests can name them.

const VOICES = [
	'Aria',
	'Bastian',
	'Clara',
	'Dario',
	'Elif',
	'Felix',
	'Greta',
	'Hugo',
	'Ines',
	'Jonas',
	'Keiko',
	'Liam',
	'Mara',
	'Nils',
	'Oona',
	'Paolo',
];
const MOODS = ['calm', 'bright', 'newsreader'];
const LANGUAGES = ['English', 'German', 'Spanish', 'French', 'Japanese', 'Turkish'];

const AVATARS = [
	'Abel',
	'Bea',
	'Carlos',
	'Dunja',
	'Emil',
	'Fay',
	'Gustav',
	'Hana',
	'Igor',
	'June',
	'Kofi',
	'Lena',
	'Milo',
	'Nadia',
	'Otto',
	'Petra',
	'Quinn',
	'Rosa',
	'Sven',
	'Tara',
	'Umar',
	'Vera',
	'Wim',
	'Xenia',
	'Yusuf',
	'Zoe',
	'Anton',
	'Birte',
	'Cem',
	'Dora',
	'Edith',
	'Frank',
];
const PLACES = ['Office', 'Studio', 'Garden'];

const STYLES = [
	'Silver Screen',
	'Night Drive',
	'Golden Hour',
	'Wide Desert',
	'Tape Deck',
	'Green Terminal',
	'Pixel Arcade',
	'Dial-up',
	'Water Lilies',
	'Bold Cubes',
	'Starry Swirl',
	'Ink Wave',
	'Comic Panel',
	'Soda Pop',
	'Neon Mall',
	'Chart Topper',
	'Felt Puppets',
	'Clay Town',
	'Paper Cut',
	'Cross Stitch',
	'Front Page',
	'Risograph',
	'Letterpress',
	'Blueprint',
	'Zine',
	'Magazine Cover',
];
const STYLE_TAGS = ['cinematic', 'retro-tech', 'iconic-artist', 'pop-culture', 'handmade', 'print'];
const RATIOS = ['16:9', '9:16', '1:1'];

const DAY = 24 * 3600;
const pick = <T>(list: T[], index: number) => list[index % list.length] as T;
const numbered = (prefix: string, index: number) =>
	`${prefix}_${String(index + 1).padStart(3, '0')}`;

function seed(state: State, now: number, baseUrl: string) {
	const start = Math.floor(now);

	VOICES.flatMap((name) => MOODS.map((mood) => `${name} (${mood})`)).forEach((name, index) => {
		add(state, state.voices, {
			id: numbered('voice', index),
			name,
			language: pick(LANGUAGES, Math.floor(index / MOODS.length)),
			gender: Math.floor(index / MOODS.length) % 2 === 0 ? 'female' : 'male',
			type: 'public',
			engine: index % 4 === 0 ? 'expressive' : 'standard',
			supportPause: index % 3 !== 0,
			supportLocale: index % 2 === 0,
			created: null,
			status: null,
			failure: null,
		});
	});
	for (const [index, name] of ['House narrator', 'Founder'].entries()) {
		add(state, state.voices, {
			id: numbered('voice_private', index),
			name,
			language: 'English',
			gender: index === 0 ? 'female' : 'male',
			type: 'private',
			engine: 'standard',
			supportPause: true,
			supportLocale: false,
			created: start - (index + 1) * DAY,
			status: 'complete',
			failure: null,
		});
	}

	AVATARS.forEach((name, index) => {
		const groupId = numbered('group', index);
		const gender = index % 2 === 0 ? 'male' : 'female';
		const voiceId = numbered('voice', (index * 3) % (VOICES.length * MOODS.length));
		add(state, state.groups, {
			id: groupId,
			name,
			created: start - (100 + index) * DAY,
			gender,
			ownership: 'public',
			voiceId,
			status: null,
			consent: null,
			error: null,
		});
		PLACES.slice(0, 1 + (index % 3)).forEach((place, at) => {
			addLook(state, {
				id: `look_${String(index + 1).padStart(3, '0')}_${at + 1}`,
				name: `${name} in the ${place.toLowerCase()}`,
				type: 'studio_avatar',
				groupId,
				gender,
				tags: [place.toLowerCase()],
				// One in four was never cut out of its footage.
				matted: index % 4 !== 3,
			});
		});
	});

	const own = [
		{ name: 'Me', status: 'completed', consent: 'approved', type: 'digital_twin' },
		{ name: 'Sales lead', status: 'completed', consent: 'approved', type: 'digital_twin' },
		{ name: 'Mascot', status: 'completed', consent: null, type: 'photo_avatar' },
		{ name: 'New colleague', status: 'pending_consent', consent: 'pending', type: 'digital_twin' },
		{ name: 'Blurry portrait', status: 'failed', consent: null, type: 'photo_avatar' },
	] as const;
	own.forEach(({ name, status, consent, type }, index) => {
		const groupId = numbered('group_private', index);
		const error =
			status === 'failed'
				? { code: 'image_processing_failed', message: 'No face was found' }
				: null;
		add(state, state.groups, {
			id: groupId,
			name,
			created: start - (index + 1) * DAY,
			gender: 'unknown',
			ownership: 'private',
			voiceId: 'voice_private_001',
			status,
			consent,
			error,
		});
		addLook(state, {
			id: numbered('look_private', index),
			name,
			type,
			groupId,
			gender: 'unknown',
			tags: [],
			matted: type === 'photo_avatar',
			status,
			error,
		});
	});

	STYLES.forEach((name, index) => {
		add(state, state.styles, {
			id: numbered('style', index),
			name,
			tags: [pick(STYLE_TAGS, Math.floor(index / 4))],
			ratio: pick(RATIOS, index),
		});
	});

	['Bakery', 'Harbour Bank', 'Night Bus', 'Village School'].forEach((name, index) => {
		const id = numbered('kit', index);
		add(state, state.kits, {
			id,
			name,
			status: 'completed',
			colors: ['#1F3A5F', '#F2B134', '#FFFFFF'],
			colorRoles: { primary: '#1F3A5F', accent: '#F2B134' },
			logos: [
				{ logo_id: `${id}_logo`, name: 'Logo', url: publicUrl(baseUrl, id, 'thumbnail.jpg') },
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
		add(state, state.glossaries, {
			id: numbered('glossary', index),
			name,
			created: start - (30 - index) * DAY,
			updated: start - (10 - index) * DAY,
			terms: [{ term: 'gif', pronunciation: 'jif' }],
			keep: [{ term: 'Night Bus' }],
			forced: [{ term: 'checkout', translation: 'Kasse' }],
		});
	});

	(['Campaigns', 'Onboarding', 'Translations'] as const).forEach((name, index) => {
		add(state, state.folders, {
			id: numbered('folder', index),
			name,
			type: name === 'Translations' ? 'video_translate' : 'mixed',
			parentId: null,
			trashed: false,
			created: start - (60 - index) * DAY,
			updated: start - (20 - index) * DAY,
		});
	});
	add(state, state.folders, {
		id: 'folder_trashed',
		name: 'Old drafts',
		type: 'mixed',
		parentId: null,
		trashed: true,
		created: start - 90 * DAY,
		updated: start - 80 * DAY,
	});
	add(state, state.folders, {
		id: 'folder_assets',
		name: 'Uploads',
		type: 'asset',
		parentId: null,
		trashed: false,
		created: start - 90 * DAY,
		updated: start - 80 * DAY,
	});

	['Spring sale', 'Summer sale', 'Welcome aboard', 'How to log in', 'Autumn sale'].forEach(
		(title, index) => {
			const created = start - (9 - index) * DAY;
			add(state, state.videos, {
				id: numbered('video', index),
				status: 'completed',
				title,
				created,
				completed: created + 90,
				duration: 14.2 + index,
				folder: index === 2 || index === 3 ? 'folder_002' : 'folder_001',
				format: 'mp4',
				captions: 'burned',
				failure: null,
				callbackUrl: null,
				callbackId: null,
				outputLanguage: null,
				sessionId: null,
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

	['Product launch', 'Birthday greeting', 'Weekly report'].forEach((name, index) => {
		const id = numbered('template', index);
		add(state, state.templates, {
			id,
			name,
			ratio: pick(RATIOS, index),
			created: start - (40 - index) * DAY,
			updated: start - (4 - index) * DAY,
			editVersion: index + 1,
			sourceVideoId: numbered('video', index),
			variables: {
				headline: { type: 'text', content: 'Hello there' },
				...(index === 0 ? { picture: { type: 'image', asset: null, fit: 'contain' } } : {}),
				...(index === 2 ? { speaker: { type: 'voice', voice_id: 'voice_001', locale: null } } : {}),
			},
			scenes: [
				{
					scene_id: `${id}_scene_1`,
					script: '{{headline}}, and welcome.',
					variables: [{ name: 'headline', variable_type: 'text' }],
				},
				{
					scene_id: `${id}_scene_2`,
					script: 'Thank you for watching.',
					variables: index === 0 ? [{ name: 'picture', variable_type: 'image' }] : [],
				},
			],
			elements: [
				{
					element_id: `${id}_element_1`,
					element_type: 'tts',
					scene_id: `${id}_scene_1`,
					bindable_as: ['text', 'voice'],
					current: { text: '{{headline}}, and welcome.', voice_id: 'voice_001' },
					text_variables: ['headline'],
					variable: index === 2 ? 'speaker' : null,
				},
				{
					element_id: `${id}_element_2`,
					element_type: 'image',
					scene_id: `${id}_scene_2`,
					bindable_as: ['image'],
					current: { url: publicUrl(baseUrl, id, 'thumbnail.jpg') },
					text_variables: [],
					variable: index === 0 ? 'picture' : null,
				},
			],
		});
	});

	// One variable of each kind that the API knows.
	const id = numbered('template', 3);
	const scene = (index: number) => `${id}_scene_${index}`;
	const element = (
		index: number,
		type: string,
		bindable: string,
		variable: string,
		current: Record<string, unknown>,
	) => ({
		element_id: `${id}_element_${index}`,
		element_type: type,
		scene_id: type === 'background_audio' ? null : scene(index < 4 ? 1 : 2),
		bindable_as: [bindable],
		current,
		text_variables: bindable === 'text' ? [variable] : [],
		variable: bindable === 'text' ? null : variable,
	});
	const picture = publicUrl(baseUrl, id, 'thumbnail.jpg');
	add(state, state.templates, {
		id,
		name: 'Personal greeting',
		ratio: '16:9',
		created: start - 37 * DAY,
		updated: start - DAY,
		editVersion: 4,
		sourceVideoId: numbered('video', 0),
		variables: {
			first_name: { type: 'text', content: 'Ada' },
			photo: { type: 'image', asset: { type: 'url', url: picture }, fit: 'cover' },
			clip: { type: 'video', asset: null, fit: 'contain', play_style: 'loop', volume: 0.5 },
			jingle: { type: 'audio', asset: null },
			presenter: { type: 'character', character_id: 'look_001_1', character_type: 'avatar' },
			speaker: { type: 'voice', voice_id: 'voice_001', locale: null },
		},
		scenes: [
			{
				scene_id: scene(1),
				script: 'Hello {{first_name}}, this is for you.',
				variables: [
					{ name: 'first_name', variable_type: 'text' },
					{ name: 'presenter', variable_type: 'character' },
					{ name: 'speaker', variable_type: 'voice' },
				],
			},
			{
				scene_id: scene(2),
				script: 'See you soon.',
				variables: [
					{ name: 'photo', variable_type: 'image' },
					{ name: 'clip', variable_type: 'video' },
				],
			},
		],
		elements: [
			element(1, 'tts', 'text', 'first_name', {
				text: 'Hello {{first_name}}, this is for you.',
			}),
			element(2, 'avatar', 'character', 'presenter', { avatar_look_id: 'look_001_1' }),
			element(3, 'tts', 'voice', 'speaker', { voice_id: 'voice_001' }),
			element(4, 'image', 'image', 'photo', { url: picture }),
			element(5, 'video', 'video', 'clip', { play_style: 'loop', volume: 0.5 }),
			element(6, 'background_audio', 'audio', 'jingle', { volume: 1 }),
		],
	});
}

function addLook(
	state: State,
	look: Pick<Look, 'id' | 'name' | 'type' | 'groupId' | 'gender' | 'tags' | 'matted'> &
		Partial<Look>,
) {
	add<Look>(state, state.looks, {
		engines: look.type === 'photo_avatar' ? ['avatar_iv'] : ['avatar_v', 'avatar_iv', 'avatar_iii'],
		orientation: 'landscape',
		status: null,
		error: null,
		...look,
	});
}

/** The state of a fresh service: the catalog, and nothing made yet. */
export function createState(now: number, baseUrl: string): State {
	const state = emptyState();
	seed(state, now, baseUrl);
	return state;
}
