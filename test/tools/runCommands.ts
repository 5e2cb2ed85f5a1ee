/*
 * Runs commands one after the other in this process, so that what they share is loaded only once, and prints
 * their results as JSON. A command has ended when it first calls process.exit.
 */
import Module from 'node:module';
import { setImmediate } from 'node:timers/promises';
import { resolve } from 'node:path';

export type Command = readonly [file: string, ...args: string[]];

export interface Result {
	stdout: string;
	stderr: string;
	status: number;
}

const { exit } = process;
const { log } = console;

function runCommand([file, ...args]: Command): Promise<Result> {
	const path = resolve(file);
	return new Promise((end) => {
		const output = { stdout: '', stderr: '' };
		console.log = (line: unknown) => (output.stdout += `${String(line)}\n`);
		console.error = (line: unknown) => (output.stderr += `${String(line)}\n`);
		process.exit = (code) => {
			const status = Number(code ?? 0);
			end({ ...output, status });
			// A command that has printed its help must not continue. Errors have already ended theirs.
			if (status === 0) throw new Error('The command has ended');
			return undefined as never;
		};
		process.argv = [process.execPath, path, ...args];
		// Another command may have imported it, which does not start it.
		delete require.cache[path];
		(Module as unknown as { _load: (path: string, parent: null, isMain: true) => void })._load(
			path,
			null,
			true,
		);
	});
}

async function main(): Promise<void> {
	const results: Result[] = [];
	for (const command of JSON.parse(process.argv[2] ?? '') as Command[]) {
		results.push(await runCommand(command));
		// The command handles the error that has ended it, before the next one starts.
		await setImmediate();
	}
	log(JSON.stringify(results));
	exit(0);
}

if (require.main === module) void main();
