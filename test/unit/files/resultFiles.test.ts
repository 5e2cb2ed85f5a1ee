/** What makes something playable brings its files along: the choice Download is there. */
import { loadRows } from '../../../tools/nodes';

const rows = loadRows();
const nameOf = ({ folder, resource, operation }: (typeof rows)[number]) =>
	`${folder} ${resource.value}.${operation.value}`;

test('every operation whose job holds files offers them (`files` of its row)', () => {
	const making = rows.filter(({ operation: { starts, combine: gather } }) => {
		const job = typeof starts === 'object' ? starts : undefined;
		return [job, job?.next?.job, gather?.rows].some((one) => one?.resultUrls !== undefined);
	});
	expect(making.length).toBeGreaterThan(10);
	expect(making.filter(({ operation }) => !operation.files).map(nameOf)).toEqual([]);
});

test('files are offered by jobs only, and a new agent video has the first of them', () => {
	const offering = rows.filter(({ operation }) => operation.files);
	expect(offering.filter(({ operation }) => !operation.starts).map(nameOf)).toEqual([]);
	const byDefault = offering.filter(({ operation }) => operation.downloadsByDefault);
	expect(byDefault.map(nameOf)).toEqual(['VideoGenAgent session.create']);
});
