import type { Locator } from 'playwright-core';

/** Counts the clicks of somebody at the editor. */
export function clicking() {
	let clicks = 0;
	return {
		count: () => clicks,
		async click(target: Locator) {
			clicks++;
			await target.click();
		},
		/** Drags something to where it belongs; counts as one. */
		async drag(from: Locator, to: Locator) {
			clicks++;
			const page = from.page();
			const middle = async (one: Locator) => {
				await one.scrollIntoViewIfNeeded();
				const box = await one.boundingBox();
				if (!box) throw new Error('What is dragged, or its place, is not to be seen');
				return [box.x + box.width / 2, box.y + box.height / 2] as const;
			};
			const [begin, end] = [await middle(from), await middle(to)];
			await page.mouse.move(...begin);
			await page.mouse.down();
			// n8n begins to drag at the first move, and looks for places at each.
			await page.mouse.move(end[0] - 5, end[1], { steps: 12 });
			await page.mouse.move(...end, { steps: 3 });
			await page.mouse.up();
		},
	};
}

export type Clicking = ReturnType<typeof clicking>;
