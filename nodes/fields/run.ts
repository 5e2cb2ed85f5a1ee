import type { IExecuteFunctions } from 'n8n-workflow';
import type { Resource } from '../core/operation';
import { run } from '../core/run/run';
import { balance } from './balance';
import { upload } from './upload';

/** Executes a node; the core is handed what it lacks because it knows no resource. */
export const runOperations = async (n8n: IExecuteFunctions, resources: readonly Resource[]) =>
	await run(n8n, resources, { balance, upload });
