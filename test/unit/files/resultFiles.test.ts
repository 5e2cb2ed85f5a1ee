/** Operations that create playable files offer Download. */
import { loadOperations } from '../../../tools/nodes';

const rows = loadOperations();
const nameOf = ({ folder, resource, operation }: (typeof rows)[number]) =>
	`${folder} ${resource.value}.${operation.value}`;

test('every operation whose job has result files offers them', () => {
	const making = rows.filter(({ operation: { starts, combine: gather } }) => {
		const job = typeof starts === 'object' ? starts : undefined;
		return [job, job?.next?.job, gather?.rows].some((one) => one?.resultUrls !== undefined);
	});
	expect(making.length).toBeGreaterThan(10);
	expect(making.filter(({ operation }) => !operation.files).map(nameOf)).toEqual([]);
});

test('only jobs offer files, and a new agent video downloads the first by default', () => {
	const offering = rows.filter(({ operation }) => operation.files);
	expect(offering.filter(({ operation }) => !operation.starts).map(nameOf)).toEqual([]);
	const byDefault = offering.flatMap((row) =>
		(row.operation.files ?? [])
			.filter(({ isDefault }) => isDefault)
			.map(({ value }) => `${nameOf(row)} ${value}`),
	);
	expect(byDefault).toEqual(['VideoGenAgent session.create video']);
});
