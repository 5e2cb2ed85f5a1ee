import { buildPublicUrl } from '../media';
import { addRow, type State } from '../store';
import { secondsPerDay, createNumberedId, pickCyclic, aspectRatios } from './shared';

export function seedTemplates(state: State, start: number, baseUrl: string) {
	['Product launch', 'Birthday greeting', 'Weekly report'].forEach((name, index) => {
		const id = createNumberedId('template', index);
		addRow(state, state.templates, {
			id,
			name,
			ratio: pickCyclic(aspectRatios, index),
			created: start - (40 - index) * secondsPerDay,
			updated: start - (4 - index) * secondsPerDay,
			editVersion: index + 1,
			updating: false,
			sourceVideoId: createNumberedId('video', index),
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
					current: { url: buildPublicUrl(baseUrl, id, 'thumbnail.jpg') },
					text_variables: [],
					variable: index === 0 ? 'picture' : null,
				},
				{
					element_id: `${id}_element_3`,
					element_type: 'richtext',
					scene_id: `${id}_scene_2`,
					bindable_as: ['text'],
					current: { text: 'See you <b>very</b> soon' },
					text_variables: [],
					variable: null,
				},
			],
		});
	});

	// One variable of each type of the API.
	const id = createNumberedId('template', 3);
	const createSceneId = (index: number) => `${id}_scene_${index}`;
	const createElement = (
		index: number,
		type: string,
		bindable: string,
		variable: string,
		current: Record<string, unknown>,
	) => ({
		element_id: `${id}_element_${index}`,
		element_type: type,
		scene_id: type === 'background_audio' ? null : createSceneId(index < 4 ? 1 : 2),
		bindable_as: [bindable],
		current,
		text_variables: bindable === 'text' ? [variable] : [],
		variable: bindable === 'text' ? null : variable,
	});
	const picture = buildPublicUrl(baseUrl, id, 'thumbnail.jpg');
	addRow(state, state.templates, {
		id,
		name: 'Personal greeting',
		ratio: '16:9',
		created: start - 37 * secondsPerDay,
		updated: start - secondsPerDay,
		editVersion: 4,
		updating: false,
		sourceVideoId: createNumberedId('video', 0),
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
				scene_id: createSceneId(1),
				script: 'Hello {{first_name}}, this is for you.',
				variables: [
					{ name: 'first_name', variable_type: 'text' },
					{ name: 'presenter', variable_type: 'character' },
					{ name: 'speaker', variable_type: 'voice' },
				],
			},
			{
				scene_id: createSceneId(2),
				script: 'See you soon.',
				variables: [
					{ name: 'photo', variable_type: 'image' },
					{ name: 'clip', variable_type: 'video' },
				],
			},
		],
		elements: [
			createElement(1, 'tts', 'text', 'first_name', {
				text: 'Hello {{first_name}}, this is for you.',
			}),
			createElement(2, 'avatar', 'character', 'presenter', { avatar_look_id: 'look_001_1' }),
			createElement(3, 'tts', 'voice', 'speaker', { voice_id: 'voice_001' }),
			createElement(4, 'image', 'image', 'photo', { url: picture }),
			createElement(5, 'video', 'video', 'clip', { play_style: 'loop', volume: 0.5 }),
			createElement(6, 'background_audio', 'audio', 'jingle', { volume: 1 }),
		],
	});
}
