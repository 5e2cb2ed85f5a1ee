import PhotoSwipeLightbox from 'photoswipe/lightbox';
import 'photoswipe/style.css';
import { onMounted } from 'vue';
import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import './style.css';
import WorkflowButtons from './WorkflowButtons.vue';

/** The pictures have twice as many pixels as n8n's window, so text is as large as in n8n at this level. */
const readableLevel = 0.5;

/** Opens a picture at full size when a reader clicks it. The pictures of a page follow each other. */
function enlargePictures(): void {
	new PhotoSwipeLightbox({
		gallery: '#app',
		children: 'a.enlarge',
		pswpModule: () => import('photoswipe'),
		// A phone shows a part of a wide picture, which the reader moves: all of it would be unreadable.
		initialZoomLevel: ({ fit, fill }) => Math.max(fit, Math.min(fill, readableLevel)),
		secondaryZoomLevel: 1,
		maxZoomLevel: 2,
		bgOpacity: 0.92,
		// Only the left and right halves of the screen would turn pages: a click zooms instead.
		imageClickAction: 'zoom',
		tapAction: 'toggle-controls',
	}).init();
}

export default {
	extends: DefaultTheme,
	enhanceApp: ({ app }) => void app.component('WorkflowButtons', WorkflowButtons),
	setup: () => onMounted(enlargePictures),
} satisfies Theme;
