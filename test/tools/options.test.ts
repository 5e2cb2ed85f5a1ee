import { readOptions } from '../../tools/options';

const read = (...given: string[]) => {
	const before = process.argv;
	process.argv = ['node', 'tool', ...given];
	try {
		return readOptions('The help', { flags: ['--short'], valued: ['--n8n'], words: true });
	} finally {
		process.argv = before;
	}
};

test('reads words, flags, and flags with values', () => {
	const { flags, values, words } = read('boots', '--n8n', '1.123.81', '--short', 'wait');
	expect(words).toEqual(['boots', 'wait']);
	expect([...flags]).toEqual(['--short']);
	expect([...values]).toEqual([['--n8n', '1.123.81']]);
});

test.each([
	[['--n8n'], '--n8n needs a value'],
	[['--n8n', '--short'], '--n8n needs a value'],
	[['--long'], 'Unknown: --long'],
])('rejects %j and prints the help', (given, words) => {
	expect(() => read(...given)).toThrow(words);
	expect(() => read(...given)).toThrow('The help');
});
