/** The environment of a measurement, for the pages that report it. */
import { readFileSync } from 'node:fs';
import { arch, cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from './install';
import { newestVersion } from './n8nVersions';

const versionIn = (folder: string) =>
	(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;

/** Lines with the versions, the machine and the date, each followed by the text of the page. */
export function describeMachine(more: { n8n: string; machine?: string; run: string }): string {
	const [cpu] = cpus();
	const modules = join(newestVersion.folder, 'node_modules');
	return [
		`- n8n ${versionIn(join(modules, 'n8n'))} (${more.n8n}), n8n-nodes-videogen ${versionIn(projectRoot)}`,
		`- Node ${versionIn(join(modules, 'node'))}, ${type()} ${release()} ${arch()}, ${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 1024 ** 3)} GB${more.machine ?? ''}`,
		`- ${new Date().toISOString().slice(0, 10)}, ${more.run}`,
	].join('\n');
}
