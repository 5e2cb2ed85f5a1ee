/** All that the integration tests know of the inside of `nodes/core`: its paths stand here alone. */
export { clock } from '../../../nodes/core/clock';
export { getErrorDetails, isTransient } from '../../../nodes/core/errors/errorDetails';
export { getSchema, type Field, type FieldGroup } from '../../../nodes/core/form/field';
export { getTextBounds } from '../../../nodes/core/form/text';
export {
	getFormFields,
	getOptionFields,
	hasRequestBody,
	type Operation,
	type Resource,
} from '../../../nodes/core/operation';
