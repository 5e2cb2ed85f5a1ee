/** Operations that create playable files offer Download. */
import { getAllFields, getResultFileTypes } from '../../../nodes/core/operationTraits';
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
	expect(making.filter(({ operation }) => !getResultFileTypes(operation)).map(nameOf)).toEqual([]);
});

test('only operations that start or await jobs offer files', () => {
	const offering = rows.filter(({ operation }) => getResultFileTypes(operation));
	expect(
		offering.filter(({ operation }) => !operation.starts && !operation.awaits).map(nameOf),
	).toEqual([]);
});

const fields = rows.map((row) => ({ row, all: getAllFields(row.operation) }));

test('no operation downloads a file by default, except the speech that cannot be returned again', () => {
	const downloads = fields.flatMap(({ row, all }) =>
		all
			.filter(({ name }) => ['download', 'downloadAudio'].includes(name))
			.map((field) => ({ name: nameOf(row), field })),
	);
	expect(downloads.length).toBeGreaterThan(15);
	const byDefault = downloads.filter(
		({ field: { default: value } }) => value === true || (Array.isArray(value) && value.length > 0),
	);
	expect(new Set(byDefault.map(({ field }) => field.name))).toEqual(new Set(['downloadAudio']));
	for (const { field } of downloads.filter(({ field: { name } }) => name === 'download')) {
		expect(field.default).toEqual([]);
		expect(field.description).toContain('Only the files that you choose are downloaded.');
	}
});

test('every operation that downloads has File Name', () => {
	const puts = fields.filter(({ all }) =>
		all.some(
			({ name, description }) =>
				name === 'download' ||
				(name === 'binaryPropertyName' && !/upload|input/i.test(description ?? '')),
		),
	);
	expect(puts.length).toBeGreaterThan(25);
	expect(
		puts
			.filter(({ all }) => !all.some(({ name }) => name === 'fileName'))
			.map(({ row }) => nameOf(row)),
	).toEqual([]);
});
