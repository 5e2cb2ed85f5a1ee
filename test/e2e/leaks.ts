/** Searches what a run of n8n has left for secrets: its log, its executions and their errors. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parse } from 'flatted';
import type { Stage } from '../../tools/stage';

interface StoredExecution {
	executionId: number;
	data: string;
	workflowData: string;
}

/** Yields all executions in n8n's database. Without a database file, n8n has none of its own. */
function* readExecutions(userFolder: string): Generator<StoredExecution> {
	const file = join(userFolder, '.n8n', 'database.sqlite');
	if (!existsSync(file)) return;
	const database = new DatabaseSync(file, { readOnly: true });
	try {
		const query = database.prepare('SELECT executionId, data, workflowData FROM execution_data');
		for (const row of query.iterate()) yield row as unknown as StoredExecution;
	} finally {
		database.close();
	}
}

/**
 * Returns the workflow of an execution without its static data, of which n8n 1 keeps a copy. It has
 * the secret of the trigger's endpoint (SECURITY.md).
 */
function removeStaticData(workflowData: string): string {
	const { staticData, ...workflow } = JSON.parse(workflowData) as { staticData?: unknown };
	return JSON.stringify(workflow);
}

/** Matches the signed part of the URL of a file. */
const signature = /[?&]signature=[0-9a-f]{64}/;

/** Keys under which executions and items keep errors. */
const errorKeys = ['error', 'errors', 'errorMessage', 'errorDescription'];

/** Whether an error at any depth of a value contains the signed URL of a file. */
function hasSignedError(value: unknown): boolean {
	const unread = [{ value, isError: false }];
	/** Objects that were read as a part of an error, and as a part of something else. */
	const seen = { inErrors: new Set<unknown>(), elsewhere: new Set<unknown>() };
	for (let next = unread.pop(); next; next = unread.pop()) {
		const { value: part, isError } = next;
		if (typeof part === 'string' && isError && signature.test(part)) return true;
		const known = isError ? seen.inErrors : seen.elsewhere;
		if (part === null || typeof part !== 'object' || known.has(part)) continue;
		known.add(part);
		for (const [key, inner] of Object.entries(part)) {
			unread.push({ value: inner, isError: isError || errorKeys.includes(key) });
		}
	}
	return false;
}

/**
 * Returns where n8n shows a secret of the simulator: an API key, a token or the secret of an
 * endpoint; or the signed URL of a file in a log or an error. Items may contain the URL of a file.
 */
export function findLeaks({ n8n, simulator }: Pick<Stage, 'n8n' | 'simulator'>): string[] {
	const secrets = simulator.control.secrets();
	const hasSecret = (text: string) => secrets.some((secret) => text.includes(secret));
	const leaks: string[] = [];
	const log = n8n.logs();
	if (hasSecret(log)) leaks.push("a secret in n8n's log");
	if (signature.test(log)) leaks.push("a signed URL in n8n's log");
	for (const { executionId, data, workflowData } of readExecutions(n8n.userFolder)) {
		if (hasSecret(data)) leaks.push(`a secret in execution ${executionId}`);
		if (hasSecret(removeStaticData(workflowData)))
			leaks.push(`a secret in the workflow of execution ${executionId}`);
		if (signature.test(data) && hasSignedError(parse(data))) {
			leaks.push(`a signed URL in an error of execution ${executionId}`);
		}
	}
	return leaks;
}
