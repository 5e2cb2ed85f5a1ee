import type { AvatarLook } from '../rows';
import { addRow, type State } from '../store';
import { secondsPerDay, createNumberedId, pickCyclic } from './shared';

const voiceNames = (
	'Aria Bastian Clara Dario Elif Felix Greta Hugo Ines Jonas Keiko Liam Mara Nils Oona ' + 'Paolo'
).split(' ');
const moods = ['calm', 'bright', 'newsreader'];
const languages = ['English', 'German', 'Spanish', 'French', 'Japanese', 'Turkish'];

const avatarNames = (
	'Abel Bea Carlos Dunja Emil Fay Gustav Hana Igor June Kofi Lena Milo Nadia Otto Petra ' +
	'Quinn Rosa Sven Tara Umar Vera Wim Xenia Yusuf Zoe Anton Birte Cem Dora Edith Frank'
).split(' ');
const locations = ['Office', 'Studio', 'Garden'];

export function seedVoices(state: State, start: number) {
	voiceNames
		.flatMap((name) => moods.map((mood) => `${name} (${mood})`))
		.forEach((name, index) => {
			addRow(state, state.voices, {
				id: createNumberedId('voice', index),
				name,
				language: pickCyclic(languages, Math.floor(index / moods.length)),
				gender: Math.floor(index / moods.length) % 2 === 0 ? 'female' : 'male',
				type: 'public',
				engine: index % 4 === 0 ? 'expressive' : 'standard',
				supportPause: index % 3 !== 0,
				supportLocale: index % 2 === 0,
				created: null,
				status: null,
				failure: null,
				expired: false,
			});
		});
	for (const [index, name] of ['House narrator', 'Founder'].entries()) {
		addRow(state, state.voices, {
			id: createNumberedId('voice_private', index),
			name,
			language: 'English',
			gender: index === 0 ? 'female' : 'male',
			type: 'private',
			engine: 'standard',
			supportPause: true,
			supportLocale: false,
			created: start - (index + 1) * secondsPerDay,
			status: 'complete',
			failure: null,
			expired: false,
		});
	}
}

export function seedAvatars(state: State, start: number) {
	avatarNames.forEach((name, index) => {
		const groupId = createNumberedId('group', index);
		const gender = index % 2 === 0 ? 'male' : 'female';
		const voiceId = createNumberedId('voice', (index * 3) % (voiceNames.length * moods.length));
		addRow(state, state.groups, {
			id: groupId,
			name,
			created: start - (100 + index) * secondsPerDay,
			gender,
			ownership: 'public',
			voiceId,
			status: null,
			consent: null,
			error: null,
		});
		locations.slice(0, 1 + (index % 3)).forEach((location, placeIndex) => {
			addLook(state, {
				id: `look_${String(index + 1).padStart(3, '0')}_${placeIndex + 1}`,
				name: `${name} in the ${location.toLowerCase()}`,
				type: 'studio_avatar',
				groupId,
				gender,
				tags: [location.toLowerCase()],
				// One look in four has no transparent background.
				matted: index % 4 !== 3,
			});
		});
	});

	const privateAvatars = [
		{ name: 'Me', status: 'completed', consent: 'approved', type: 'digital_twin' },
		{ name: 'Sales lead', status: 'completed', consent: 'approved', type: 'digital_twin' },
		{ name: 'Mascot', status: 'completed', consent: null, type: 'photo_avatar' },
		{ name: 'New colleague', status: 'pending_consent', consent: 'pending', type: 'digital_twin' },
		{ name: 'Blurry portrait', status: 'failed', consent: null, type: 'photo_avatar' },
	] as const;
	privateAvatars.forEach(({ name, status, consent, type }, index) => {
		const groupId = createNumberedId('group_private', index);
		const error =
			status === 'failed'
				? { code: 'image_processing_failed', message: 'No face was found' }
				: null;
		addRow(state, state.groups, {
			id: groupId,
			name,
			created: start - (index + 1) * secondsPerDay,
			gender: 'unknown',
			ownership: 'private',
			voiceId: 'voice_private_001',
			status,
			consent,
			error,
		});
		addLook(state, {
			id: createNumberedId('look_private', index),
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
}

function addLook(
	state: State,
	look: Pick<AvatarLook, 'id' | 'name' | 'type' | 'groupId' | 'gender' | 'tags' | 'matted'> &
		Partial<AvatarLook>,
) {
	addRow<AvatarLook>(state, state.looks, {
		engines: look.type === 'photo_avatar' ? ['avatar_iv'] : ['avatar_v', 'avatar_iv', 'avatar_iii'],
		orientation: 'landscape',
		expired: false,
		status: null,
		error: null,
		...look,
	});
}
