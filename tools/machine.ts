/** Describes the environment of a measurement, for the pages that report it. */
import { readFileSync } from 'node:fs';
import { arch, cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from './install';
import { type N8nVersion, newestVersion } from './n8nVersions';

const versionIn = (folder: string) =>
	(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;

/** Returns the operating system, the processor and the memory of this machine. */
function describeHardware(): string {
	const [cpu] = cpus();
	const memory = Math.round(totalmem() / 1024 ** 3);
	return `${type()} ${release()} ${arch()}, ${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, ${memory} GB`;
}

const today = () => new Date().toISOString().slice(0, 10);

/** Returns lines with the versions, the machine and the date, each followed by the given text. */
export function describeMachine(more: {
	/** Version of n8n. Defaults to the newest. */
	line?: N8nVersion;
	n8n: string;
	machine?: string;
	run: string;
}): string {
	const modules = join((more.line ?? newestVersion).folder, 'node_modules');
	return [
		`- n8n ${versionIn(join(modules, 'n8n'))} (${more.n8n}), n8n-nodes-videogen ${versionIn(projectRoot)}`,
		`- Node ${process.versions.node}, ${describeHardware()}${more.machine ?? ''}`,
		`- ${today()}, ${more.run}`,
	].join('\n');
}

/** Returns the same lines for measurements on n8n's engine, without a complete n8n. */
export function describeEngine(run: string): string {
	const engine = versionIn(join(projectRoot, 'node_modules', 'n8n-core'));
	return [
		`- n8n-core ${engine}, n8n-nodes-videogen ${versionIn(projectRoot)}`,
		`- Node ${process.versions.node}, ${describeHardware()}`,
		`- ${today()}, ${run}`,
	].join('\n');
}
