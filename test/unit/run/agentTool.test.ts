/** Errors as a language model reads them. */
import { describeErrorForModel } from '../../../nodes/core/plan/agentTool';

const error = (message: string, description?: string) =>
	Object.assign(new Error(message), { description });

test('the message says what to do, without numbers that are for people', () => {
	const described = describeErrorForModel(
		error(
			'There is not enough credit [item 0]',
			'Buy credit.\nAlready started for this item: video v1\nCode: insufficient_credit · Request ID: r',
		),
	);
	expect(described.message).toBe(
		'There is not enough credit. Buy credit. Already started for this item: video v1',
	);
});

test('an error that is described twice says everything once', () => {
	const one = error('Refused: not now.', 'Try later.');
	expect(describeErrorForModel(describeErrorForModel(one)).message).toBe(
		'Refused: not now. Try later.',
	);
	expect(describeErrorForModel(error('Refused')).message).toBe('Refused.');
});

test('a long description is cut', () => {
	expect(describeErrorForModel(error('Refused', 'x'.repeat(9_000))).message).toHaveLength(1_000);
});
