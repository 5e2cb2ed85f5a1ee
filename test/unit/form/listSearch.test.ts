/** Entries of the From List mode. */
import { disambiguateEntries } from '../../../nodes/core/form/listSearch';

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
