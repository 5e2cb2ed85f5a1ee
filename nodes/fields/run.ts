import type { IExecuteFunctions } from 'n8n-workflow';
import type { Resource } from '../core/operation';
import { run as runWith } from '../core/run/run';
import { balance } from './balance';
import { upload } from './upload';

/** Executes a node; the core is handed what it lacks because it knows no resource. */
export const run = async (n8n: IExecuteFunctions, resources: readonly Resource[]) =>
	await runWith(n8n, resources, { balance, upload });
