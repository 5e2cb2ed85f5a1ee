import type { IExecuteFunctions } from 'n8n-workflow';
import type { Resource } from '../core/operation';
import { executeOperations } from '../core/execute';
import { readBalance } from './balance';
import { uploadBinaryInput } from './upload';

/**
 * Executes a node. Passes the core the functions that depend on resources, which the core does not
 * know.
 */
export const executeNode = async (n8n: IExecuteFunctions, resources: readonly Resource[]) =>
	await executeOperations(n8n, resources, { balance: readBalance, upload: uploadBinaryInput });
