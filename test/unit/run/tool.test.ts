/** Errors as an AI model reads them. */
import { describeErrorForModel } from '../../../nodes/core/plan/agentTool';

const error = (message: string, description?: string) =>
	Object.assign(new Error(message), { description });

test('what to do stands in the message; numbers for people do not', () => {
	const told = describeErrorForModel(
		error(
			'There is not enough credit [item 0]',
			'Buy credit.\nAlready started for this item: video v1\nCode: insufficient_credit · Request ID: r',
		),
	);
	expect(told.message).toBe(
		'There is not enough credit. Buy credit. Already started for this item: video v1',
	);
});

test('told twice, it says everything once', () => {
	const one = error('Refused: not now.', 'Try later.');
	expect(describeErrorForModel(describeErrorForModel(one)).message).toBe(
		'Refused: not now. Try later.',
	);
	expect(describeErrorForModel(error('Refused')).message).toBe('Refused.');
});

test('it has an end', () => {
	expect(describeErrorForModel(error('Refused', 'x'.repeat(9_000))).message).toHaveLength(1_000);
});
