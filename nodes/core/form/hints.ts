/** What stands in the output pane before and during a run. */
import type { NodeHint } from 'n8n-workflow';
import { isPaid, type Resource } from '../operation';

/** Tells that several items are paid one by one, where the chosen operation costs something. */
export function hints(resources: readonly Resource[]): NodeHint[] {
	const paid = resources.flatMap(({ value, operations }) =>
		operations.filter(isPaid).map((operation) => `${value} ${operation.value}`),
	);
	if (paid.length === 0) return [];
	const chosen = '$parameter["resource"] + " " + $parameter["operation"]';
	return [
		{
			message:
				'Several items come in: each makes a result of its own, and each is charged. <b>Most Jobs per Run</b> under Options refuses more than you expect.',
			location: 'outputPane',
			whenToDisplay: 'beforeExecution',
			displayCondition: `={{ ${JSON.stringify(paid)}.includes(${chosen}) && $input.all().length > 1 }}`,
		},
	];
}
