/** All that the integration tests know of the inside of `nodes/core`: its paths stand here alone. */
export { clock } from '../../../nodes/core/clock';
export { factsOf, isPassing } from '../../../nodes/core/errors/facts';
export { schemaOf, type Field, type FieldGroup } from '../../../nodes/core/form/field';
export {
	formFields,
	optionFields,
	sendsBody,
	type Operation,
	type Resource,
} from '../../../nodes/core/operation';
