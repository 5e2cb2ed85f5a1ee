import { respondWithPage } from '../http/pagination';
import type { Route } from '../http/route';
import { createMediaUrl } from '../media';
import type { Service } from '../service';

const soundNames = {
	music: ['Slow Morning', 'Night Walk', 'Bright Steps', 'Paper Boats', 'Long Road', 'Small Hours'],
	sound_effects: ['Door', 'Rain', 'Applause', 'Whoosh', 'Typing', 'Bell'],
};

const sounds = (['music', 'sound_effects'] as const).flatMap((type) =>
	soundNames[type].flatMap((name, index) =>
		[1, 2, 3, 4].map((take) => ({
			id: `${type}_${index + 1}_${take}`,
			seq: index * 4 + take,
			type,
			name: `${name} ${take}`,
			score: Math.round((1 - (index * 4 + take) / 60) * 100) / 100,
		})),
	),
);

export function registerSounds(route: Route, service: Service) {
	route('GET /v3/audio/sounds', ({ query }) => {
		const rows = sounds.filter(
			({ type, score }) => type === query.type && score >= query.min_score,
		);
		return respondWithPage(
			service,
			`sounds ${query.type}`,
			rows,
			query,
			(sound) => ({
				id: sound.id,
				name: sound.name,
				description: `${sound.name}, found for ${query.query}`,
				audio_url: createMediaUrl(service, sound.id, 'speech.wav'),
				score: sound.score,
				type: sound.type,
				duration: 1.2,
				...(sound.type === 'sound_effects' ? { peak_offset: 0.4, placement: 'hit' } : {}),
			}),
			'catalog',
		);
	});
}
