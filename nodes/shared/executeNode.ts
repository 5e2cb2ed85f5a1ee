import type { IExecuteFunctions } from 'n8n-workflow';
import type { Resource } from '../core/operation';
import { executeOperations } from '../core/execute';
import { fetchBalance } from './balance';
import { uploadBinaryInput } from './upload';

/**
 * Executes a node that offers the operations of the given resources. The functions that read the
 * balance and upload files are passed as arguments, because the code in `core` must not depend on
 * any resource.
 */
export const executeNode = async (n8n: IExecuteFunctions, resources: readonly Resource[]) =>
	await executeOperations(n8n, resources, { balance: fetchBalance, upload: uploadBinaryInput });
