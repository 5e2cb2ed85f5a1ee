/** The workflows of the code host: what they run is pinned, and only one job may publish. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../tools/install';

const folder = join(projectRoot, '.github', 'workflows');
const workflows = readdirSync(folder).map((file): [string, string] => [
	file,
	readFileSync(join(folder, file), 'utf8'),
]);
const publish = new Map(workflows).get('publish.yml') ?? '';
const [, build = '', publishing = '', notes = ''] = publish.split(
	/^ {2}(?:build|publish|notes):$/m,
);

/** Pinned by their major version, because their commits could not be looked up yet. */
const unpinned = ['github/codeql-action/init@v4', 'github/codeql-action/analyze@v4'];

test.each(workflows)('%s pins each action by its commit', (_, text) => {
	const uses = [...text.matchAll(/uses: (.*)/g)].map(([, action = '']) => action);
	expect(uses.length).toBeGreaterThan(0);
	const pinned = /^([\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\.\/\.github\/workflows\/\w+\.yml)$/;
	expect(uses.filter((one) => !pinned.test(one) && !unpinned.includes(one))).toEqual([]);
});

test.each(workflows)('%s keeps no credentials in a checkout', (_, text) => {
	const checkouts = text.match(/uses: actions\/checkout@/g) ?? [];
	const without = text.match(
		/uses: actions\/checkout@.*\n {8}with:\n {10}persist-credentials: false\n/g,
	);
	expect(without ?? []).toHaveLength(checkouts.length);
});

test.each(workflows)('%s gives no permission beyond reading to all of its jobs', (_, text) => {
	expect(text).toMatch(/^permissions:\n {2}contents: read\n\n/m);
});

test('only the jobs that publish have the permission to sign', () => {
	const signing = workflows.filter(([, text]) => text.includes('id-token: write'));
	expect(signing.map(([file]) => file)).toEqual(['publish.yml', 'site.yml']);
	expect(build).not.toContain('id-token');
	expect(publishing).toContain('id-token: write');
	expect(publishing).toContain('environment: publish');
});

/** Commands of a job, one per line. */
const readCommands = (job: string) =>
	[...job.matchAll(/run: \|\n((?: {10}.*\n)+)/g)].flatMap(([, block = '']) =>
		block
			.trim()
			.split('\n')
			.map((line) => line.trim()),
	);

test('the job that publishes runs nothing but npm, without scripts', () => {
	const commands = readCommands(publishing).filter((line) =>
		/\b(npm|npx|node|sh|bash) /.test(line),
	);
	expect(commands).toEqual([
		'registry=$(npm config get registry)',
		'if [ -n "$NPM_TOKEN" ]; then npm config set "${registry#*:}:_authToken=$NPM_TOKEN"; fi',
		expect.stringMatching(/^if \[ "\$\(npm view "\$package" dist\.integrity /),
		'npm publish --ignore-scripts --access public "./$file"',
	]);
	expect(publishing).toContain('NPM_CONFIG_PROVENANCE: true');
	expect(publishing).not.toContain('actions/checkout');
	// Pins npm, too.
	expect(publishing).toMatch(/node-version: \d+\.\d+\.\d+\n/);
});

test('the job that writes the release installs nothing, and cannot publish', () => {
	const commands = readCommands(notes);
	expect(commands).toHaveLength(4);
	for (const command of commands) expect(command).toMatch(/^gh release /);
	expect(notes).not.toMatch(/actions\/checkout|id-token|environment/);
});

test('a version is published only after all checks, and the release is rehearsed once a week', () => {
	expect(publish).toContain('  check:\n    uses: ./.github/workflows/ci.yml\n');
	expect(build).toContain('needs: check\n');
	expect(publishing).toContain('needs: build\n');
	expect(notes).toContain('needs: publish\n');
	expect(new Map(workflows).get('ci.yml')).toContain('  workflow_call:\n');
	const weekly = new Map(workflows).get('long.yml') ?? '';
	expect(weekly).toContain('.ci/bare-debian npm run release -- --rehearse\n');
});

test('the job that deploys the site runs no command, and only it may write', () => {
	const site = new Map(workflows).get('site.yml') ?? '';
	const [, building = '', deploying = ''] = site.split(/^ {2}(?:build|deploy):$/m);
	expect(building).toContain('- run: npm run site -- --build\n');
	expect(building).not.toContain(': write');
	expect(deploying).toContain('environment: github-pages');
	expect(deploying).not.toMatch(/run:|actions\/checkout/);
});

test('publishing starts at tags only', () => {
	expect(publish).toMatch(/^on:\n {2}push:\n {4}tags: \['v\*'\]\n\n/m);
});

describe('.ci/run', () => {
	const ci = readFileSync(join(projectRoot, '.ci', 'run'), 'utf8');
	const helpers = ['time_part', 'start_lane', 'end_lanes'];
	const parts = [...ci.matchAll(/^(\w+)\(\) \{$/gm)]
		.map(([, name = '']) => name)
		.filter((name) => !helpers.includes(name));

	test('runs all flows', () => {
		expect(ci).toMatch(/\tnpm run e2e -- "\$\{skip\[@\]\}" --at-once \d\n/);
	});

	test('runs each part, and ci.yml runs them side by side', () => {
		const run = [...ci.matchAll(/^(?:time_part|start_lane) ([\w ]+)$/gm)].flatMap(
			([, names = '']) => names.split(' '),
		);
		expect([...run].sort()).toEqual([...parts].sort());
		expect(new Map(workflows).get('ci.yml')).toContain(`part: [${parts.join(', ')}]\n`);
	});
});

describe('the weekly run on the newest n8n', () => {
	const text = new Map(workflows).get('newest-n8n.yml') ?? '';
	const [, flows = '', report = ''] = text.split(/^ {2}(?:flows|report):$/m);

	test('moves to the newest n8n, and runs all flows on it', () => {
		expect(text).toMatch(/^ {2}schedule:\n {4}- cron: '[\d ]+\* \* \d'\n/m);
		const commands = [...flows.matchAll(/- run: (npm run .*)/g)].map(([, command]) => command);
		expect(commands).toEqual([
			'npm run n8n -- newest',
			expect.stringMatching(/^npm run e2e -- --no-skip --long --at-once \d$/),
		]);
	});

	test('opens an issue if a flow fails, in a job that runs no code of the project', () => {
		expect(report).toContain('needs: flows\n    if: failure()\n');
		expect(report).toContain('gh issue create');
		expect(report).toContain('issues: write');
		expect(report).not.toMatch(/uses:|npm/);
		expect(flows).not.toContain('write');
	});
});
