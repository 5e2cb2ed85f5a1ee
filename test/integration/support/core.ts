/** The only place where the integration tests import internal modules of `nodes/core`. */
export { clock } from '../../../nodes/core/clock';
export { getErrorDetails, isTransientError } from '../../../nodes/core/errors/errorDetails';
export {
	collectionNames,
	getSchema,
	acceptsUnlistedValues,
	type Field,
	type FixedCollectionGroup,
} from '../../../nodes/core/form/field';
export { getTextSchemaLimits } from '../../../nodes/core/form/validation';
export { isObject } from '../../../nodes/core/json';
export type { Operation, Resource } from '../../../nodes/core/operation';
export {
	getNonOptionFields,
	getOptionFields,
	hasRequestBody,
	hasCheckOnlyOption,
	isPaid,
} from '../../../nodes/core/operationTraits';
