import { readdirSync } from 'node:fs';
import js from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import importX from 'eslint-plugin-import-x';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

const nodeFolders = readdirSync('./nodes').filter((name) => name.startsWith('VideoGen'));

const n8nRules = (config) => n8nNodesBase.configs[config].rules;

/** Imports run one way: node -> operations -> fields, shared -> jobKinds -> apiLimits, core -> n8n-workflow. */
const oneWay = [
	{
		target: './nodes/core',
		from: './nodes',
		except: ['./core'],
		message: 'The core knows no resource and no field.',
	},
	{
		target: './nodes/jobKinds',
		from: './nodes',
		except: ['./apiLimits.ts', './core', './jobKinds'],
		message: 'The catalog of jobs knows the core and the limits only.',
	},
	{
		target: './nodes/fields',
		from: './nodes',
		except: ['./apiLimits.ts', './core', './fields', './jobKinds'],
		message: 'Fields know the core, the catalog of jobs and the limits only.',
	},
	{
		target: './nodes/shared',
		from: './nodes',
		except: ['./apiLimits.ts', './core', './jobKinds', './shared'],
		message: 'Shared parts know the core, the catalog of jobs and the limits only.',
	},
	...nodeFolders.map((folder) => ({
		target: `./nodes/${folder}`,
		from: './nodes',
		except: [`./${folder}`, './apiLimits.ts', './core', './fields', './jobKinds', './shared'],
		message: 'No resource imports another.',
	})),
	{
		target: ['./nodes', './credentials'],
		from: ['./simulator', './test', './tools'],
		message: 'What is shipped stands alone.',
	},
	{
		target: './simulator',
		from: ['./nodes', './credentials', './test', './tools'],
		message: 'Simulator and nodes agree through the specification alone.',
	},
];

/** Limits of the service come from nodes/apiLimits.ts, and those of the nodes have names. */
const unnamedLimits = [
	"CallExpression[callee.property.name=/^(min|max|gte?|lte?|multipleOf)$/]:not([callee.object.name='Math'])",
	'Property[key.name=/^(min|max|above|multipleOf|pageSize|maxSize)$/]',
].map((place) => ({
	selector: `${place} > :matches(UnaryExpression, Literal:not([value=0]):not([value=1]))`,
	message: 'Use a limit of nodes/apiLimits.ts or, for a limit of the nodes, a named constant.',
}));

export default tseslint.config(
	{
		ignores: [
			'**/dist/**',
			'**/node_modules/**',
			'.demo/**',
			'.e2e/**',
			'.n8n/**',
			'.mutation/**',
			'release/**',
			'coverage/**',
			'site/pages/**',
			'site/dist/**',
			'site/.vitepress/cache/**',
		],
	},
	...tseslint.configs.recommended,
	{
		rules: {
			// Leaving a key out by taking it apart is a plain way to copy the rest.
			'@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
		},
	},
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts', 'simulator/**/*.ts'],
		plugins: { 'import-x': importX },
		settings: {
			'import-x/resolver': { node: { extensions: ['.ts', '.js'] } },
			'import-x/parsers': { '@typescript-eslint/parser': ['.ts'] },
			'import-x/extensions': ['.ts'],
		},
		rules: {
			'import-x/no-restricted-paths': ['error', { zones: oneWay }],
		},
	},
	// What n8n checks in its default configuration (@n8n/node-cli, dist/configs/eslint.js), unchanged.
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		extends: [
			js.configs.recommended,
			tseslint.configs.recommended,
			n8nCommunityNodesPlugin.configs.recommended,
			importX.flatConfigs.recommended,
		],
		rules: {
			// Without the option above: an override of the severity alone keeps it.
			'@typescript-eslint/no-unused-vars': ['error', {}],
			'prefer-spread': 'off',
			'no-console': 'error',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: {
			...n8nRules('nodes'),
			// As n8n's own scanner sets them for community nodes.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		ignores: ['nodes/core/**', 'nodes/apiLimits.ts'],
		rules: { 'no-restricted-syntax': ['error', ...unnamedLimits] },
	},
	{
		files: ['credentials/**/*.ts'],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: {
			...n8nRules('credentials'),
			// As n8n's own scanner sets them for community nodes.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['**/*.js'],
		rules: { '@typescript-eslint/no-require-imports': 'off' },
	},
);
