/** Mutants that Stryker lacks: changes of order, time, keys and state. */
import { types } from '@babel/core';

/** Whether the caller awaits what this returns, and no `catch` or `finally` around it does. */
function isReturned(path) {
	const isLast = path.parentPath.isReturnStatement() || path.parentPath.isArrowFunctionExpression();
	return (
		isLast && !path.findParent((one) => one.isFunction() || one.isTryStatement())?.isTryStatement()
	);
}

/** Replaces an `await` with its promise. */
const awaitMutator = {
	name: 'Await',
	*mutate(path) {
		if (path.isAwaitExpression() && !isReturned(path)) yield types.cloneNode(path.node.argument);
	},
};

const hasAwait = (statement) =>
	types.isExpressionStatement(statement) && types.isAwaitExpression(statement.expression);

/** Swaps two statements, one of which awaits something. */
const orderMutator = {
	name: 'Order',
	*mutate(path) {
		if (!path.isBlockStatement()) return;
		const { body } = path.node;
		for (const [i, first] of body.entries()) {
			const second = body[i + 1];
			if (!types.isExpressionStatement(first) || !types.isExpressionStatement(second)) continue;
			if (!hasAwait(first) && !hasAwait(second)) continue;
			const swapped = body.with(i, second).with(i + 1, first);
			yield types.blockStatement(swapped.map((one) => types.cloneNode(one)));
		}
	},
};

/** Whether the value is a key: it is made a text, has no words, or the name of what holds it says so. */
function isKey(path) {
	if (path.node.quasis?.every(({ value }) => !/[a-z]/i.test(value.raw))) return true;
	const call = path.parentPath;
	if (call.isCallExpression() && call.get('callee').matchesPattern('JSON.stringify')) return true;
	const owner = path.findParent(
		(one) => one.isVariableDeclarator() || one.isObjectProperty() || one.isFunctionDeclaration(),
	);
	const { name } = owner?.node.id ?? owner?.node.key ?? {};
	return typeof name === 'string' && /key/i.test(name);
}

/** Leaves out a part of a key, so that different things share one. */
const keyMutator = {
	name: 'Key',
	*mutate(path) {
		if (path.isTemplateLiteral() && path.node.expressions.length > 1 && isKey(path)) {
			const { quasis, expressions } = path.node;
			for (const i of expressions.keys()) {
				const parts = expressions.with(i, types.stringLiteral(''));
				yield types.templateLiteral(quasis, parts);
			}
		}
		if (path.isArrayExpression() && path.node.elements.length > 1 && isKey(path)) {
			const { elements } = path.node;
			for (const i of elements.keys()) yield types.arrayExpression(elements.toSpliced(i, 1));
		}
	},
};

/** Takes milliseconds for seconds: 1,000 becomes 1, and 60,000 becomes 60. */
const unitMutator = {
	name: 'Unit',
	*mutate(path) {
		if (!path.isNumericLiteral()) return;
		const { value } = path.node;
		if (value >= 1000 && value % 1000 === 0) yield types.numericLiteral(value / 1000);
	},
};

const isReset = (node) =>
	(types.isIdentifier(node) && node.name === 'undefined') ||
	types.isNullLiteral(node) ||
	(types.isNumericLiteral(node) && node.value === 0) ||
	(types.isBooleanLiteral(node) && !node.value) ||
	(types.isArrayExpression(node) && node.elements.length === 0) ||
	(types.isNewExpression(node) && node.arguments.length === 0);

/** Keeps a state that is reset or deleted. */
const stateMutator = {
	name: 'State',
	*mutate(path) {
		if (!path.parentPath?.isExpressionStatement()) return;
		const { node } = path;
		const isDeleted =
			types.isCallExpression(node) &&
			types.isMemberExpression(node.callee) &&
			['delete', 'clear'].includes(node.callee.property.name);
		const isCleared =
			types.isAssignmentExpression(node) && node.operator === '=' && isReset(node.right);
		if (isDeleted || isCleared) yield types.identifier('undefined');
	},
};

export const mutators = [awaitMutator, orderMutator, keyMutator, unitMutator, stateMutator];
