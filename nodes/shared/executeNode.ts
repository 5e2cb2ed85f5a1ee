import type { IExecuteFunctions } from 'n8n-workflow';
import type { Resource } from '../core/operation';
import { executeOperations } from '../core/execute';
import type { JobKind } from '../core/jobs/types';
import * as jobKinds from '../jobKinds/catalog';
import { fetchBalance } from './balance';
import { uploadBinaryInput } from './upload';

const allJobKinds = Object.values<JobKind>(jobKinds);

/**
 * Executes a node that offers the operations of the given resources. Passes functions that depend
 * on the service's resources as arguments, because the code in `core` must not import them.
 */
export const executeNode = async (n8n: IExecuteFunctions, resources: readonly Resource[]) =>
	await executeOperations(n8n, resources, {
		balance: fetchBalance,
		upload: uploadBinaryInput,
		findJobKind: (name) => allJobKinds.find((kind) => kind.name === name),
	});
