/** Entries of the From List mode. */
import {
	createListItem,
	disambiguateEntries,
	filterBySearchText,
	toLabel,
} from '../../../nodes/fields/listSearch';

test('entries with the same name end in the last characters of their IDs', () => {
	const entries = [
		{ name: 'Me (Photo avatar)', value: 'look_a1b2c3d4' },
		{ name: 'Anna', value: 'look_00000001' },
		{ name: 'Me (Photo avatar)', value: 'look_e5f6a7b8' },
	];
	expect(disambiguateEntries(entries).map(({ name }) => name)).toEqual([
		'Me (Photo avatar) …b2c3d4',
		'Anna',
		'Me (Photo avatar) …f6a7b8',
	]);
});

test('an entry that an earlier page may be confused with ends in its ID, too', () => {
	const entries = ['Anna', 'Bea'].map((name, i) => ({ name, value: `voice_${i}` }));
	const names = disambiguateEntries(entries, (name) => name === 'Bea').map(({ name }) => name);
	expect(names).toStrictEqual(['Anna', 'Bea …oice_1']);
});

test('entries are searched by name and by ID', () => {
	const entries = ['Anna', 'Bea'].map((name, i) => ({ name, value: `VOICE_${i}` }));
	const search = (text?: string) => filterBySearchText(entries, text).map(({ name }) => name);
	expect([' ann ', 'voice_1', 'x', '', undefined].map(search)).toStrictEqual([
		...[['Anna'], ['Bea'], [], ['Anna', 'Bea'], ['Anna', 'Bea']],
	]);
});

test.each<[Parameters<typeof createListItem>, object]>([
	[['a', 'Anna', ['Female', undefined, '', 7], 'https://a.example'], { name: 'Anna (Female)' }],
	[['a', '', [undefined]], { name: 'a' }],
	[[7, null], { name: '7', value: '7' }],
])('the entry of %j', (parts, expected) => {
	const url = parts[3];
	expect(createListItem(...parts)).toStrictEqual({ value: 'a', url, ...expected });
});

test.each([
	['DIGITAL_TWIN', 'Digital twin'],
	['x', 'X'],
	['', undefined],
	[7, undefined],
])('the label of %j is %s', (value, label) => expect(toLabel(value)).toBe(label));
