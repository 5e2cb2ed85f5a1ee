/**
 * Selects the items whose Check Only option is on. The node validates these items but sends no
 * create requests for them.
 */
import type { IExecuteFunctions } from 'n8n-workflow';
import type { NodeError } from '../errors/nodeErrors';
import { checkOnlyModes, type CheckOnlyMode } from '../form/commonFields';
import type { Operation, Resource } from '../operation';
import { canCheckOnly, findSelectedOperation } from '../operationTraits';
import type { ItemOperation } from './groupRequests';
import { checkItemsTogether } from './readOperationsAndValues';

/**
 * Input item to validate for the Check Only option. Contains the item's planned operation, or the
 * error that explains why the item is invalid.
 */
export interface ItemToCheck {
	mode: CheckOnlyMode;
	operation: Operation;
	plan: ItemOperation | NodeError;
}

/**
 * Returns an item's operation and the value of its Check Only option, or undefined if the option is
 * off. Reads the raw parameters, because an invalid item has no validated values.
 */
function readCheckMode(
	n8n: IExecuteFunctions,
	resources: readonly Resource[],
	item: number,
): Pick<ItemToCheck, 'mode' | 'operation'> | undefined {
	try {
		const { operation } = findSelectedOperation(n8n, resources, item) ?? {};
		// The options of a node keep their values when the user selects another operation.
		if (!operation || !canCheckOnly(operation)) return undefined;
		const stored: unknown = n8n.getNodeParameter('options.checkOnly', item, 'off');
		const mode = checkOnlyModes.find((one) => one === stored);
		return mode && { mode, operation };
	} catch {
		// The item has already failed, because one of its expressions cannot be evaluated.
		return undefined;
	}
}

/** Returns the items whose Check Only option is on, keyed by item index. */
export function selectItemsToCheck(
	n8n: IExecuteFunctions,
	resources: readonly Resource[],
	planned: ReadonlyMap<number, ItemOperation | NodeError>,
): Map<number, ItemToCheck> {
	const chosen = [...planned].flatMap(([item, plan]) => {
		const choice = readCheckMode(n8n, resources, item);
		return choice ? [{ item, plan, choice }] : [];
	});
	const plans = checkItemsTogether(
		n8n.getNode(),
		new Map(chosen.map(({ item, plan }) => [item, plan])),
	);
	return new Map(
		chosen.map(({ item, plan, choice }) => [item, { ...choice, plan: plans.get(item) ?? plan }]),
	);
}
