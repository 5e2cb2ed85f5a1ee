/** `npm run outdated`, without the registry. */
import { comparePage, findBehind, readExplained } from '../../tools/outdated';

test('a package is behind if its pinned major version is lower, in any folder that needs it', () => {
	const report = {
		eslint: { wanted: '9.29.0', latest: '10.1.0' },
		ajv: { wanted: '8.20.0', latest: '8.21.0' },
		newer: { wanted: '10.0.0', latest: '9.6.1' },
		zod: [
			{ wanted: '4.0.0', latest: '4.0.0' },
			{ wanted: '3.25.76', latest: '4.0.0' },
		],
	};
	expect(findBehind(JSON.stringify(report))).toEqual(['eslint', 'zod']);
});

test('the list of the page is compared in both directions', () => {
	const page =
		'### Dependencies\n\nPinned:\n\n- `zod` 3: n8n has `luxon`.\n- `node` and `@types/node` 24: n8n.\n\n## Waiting\n\n- `later`: no\n';
	const explained = readExplained(page);
	expect(explained).toEqual(['zod', 'node', '@types/node']);
	expect(comparePage(['zod', 'node', 'eslint'], explained)).toEqual([
		'eslint: not explained',
		'@types/node: not behind',
	]);
});
