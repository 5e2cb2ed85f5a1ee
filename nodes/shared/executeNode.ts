import type { IExecuteFunctions } from 'n8n-workflow';
import type { Resource } from '../core/operation';
import { executeOperations } from '../core/execute';
import { readBalance } from './balance';
import { uploadBinaryInput } from './upload';

/**
 * Executes a node with the operations of the given resources. It passes the balance and upload
 * functions to the core, which itself does not depend on any resource.
 */
export const executeNode = async (n8n: IExecuteFunctions, resources: readonly Resource[]) =>
	await executeOperations(n8n, resources, { balance: readBalance, upload: uploadBinaryInput });
