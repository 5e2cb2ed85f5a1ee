import type { Composition } from './rows';
import type { Service } from './service';

/** What a rendered video shows. */
export interface VideoContent {
	title: string;
	text: string;
	/** As in the API, `16:9` for example. */
	aspectRatio: string;
}

const readScripts = ({ scenes }: Composition) =>
	scenes
		.map(({ script }) => (script && 'text' in script ? String(script.text) : ''))
		.filter((text) => text !== '')
		.join(' ');

/** Returns what the video of this owner shows, or undefined if the owner has no video of its own. */
export function findVideoContent({ state }: Service, owner: string): VideoContent | undefined {
	const translation = state.translations.get(owner);
	if (translation) {
		return {
			title: translation.title ?? 'Translated video',
			text: `${translation.inputLanguage} → ${translation.outputLanguage}`,
			aspectRatio: '16:9',
		};
	}
	const video = state.videos.get(owner);
	if (video) {
		const { composition } = video;
		return {
			title: video.title ?? 'Video',
			text: (composition ? readScripts(composition) : video.text) ?? '',
			aspectRatio: String(composition?.video.aspect_ratio ?? '16:9'),
		};
	}
	const modelVideo = state.modelVideos.get(owner);
	if (modelVideo) {
		const { model, prompt, aspectRatio } = modelVideo;
		return { title: model, text: prompt, aspectRatio };
	}
	const lipsync = state.lipsyncs.get(owner);
	if (lipsync) return { title: lipsync.title ?? 'Lipsync', text: '', aspectRatio: '16:9' };
	const render = state.renders.get(owner);
	if (render) {
		const { composition, aspect_ratio: aspectRatio } = render.settings;
		return {
			title: render.title ?? 'Composition',
			text: String(composition),
			aspectRatio: String(aspectRatio),
		};
	}
	const [, clippingId = '', clipNumber] = /^(.*)_(\d+)$/.exec(owner) ?? [];
	const clipping = state.clippings.get(clippingId);
	const clip = clipping?.clips[Number(clipNumber) - 1];
	return (
		clip && {
			title: clip.title,
			text: `Clip ${clipNumber}${clipping.title ? ` of ${clipping.title}` : ''}`,
			aspectRatio: String(clipping.settings.aspect_ratio),
		}
	);
}
