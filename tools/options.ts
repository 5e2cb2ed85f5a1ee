/**
 * The words and flags of the command line. `--help` prints the help and ends the process; a flag
 * that the tool does not know, a flag without its value, or a word where it takes none, is an error.
 *
 * @param valued flags behind which a value stands
 */
export function readOptions(
	help: string,
	{
		flags = [],
		valued = [],
		words = false,
	}: { flags?: string[]; valued?: string[]; words?: boolean } = {},
): { flags: Set<string>; values: Map<string, string>; words: string[] } {
	const given = process.argv.slice(2);
	if (given.includes('--help') || given.includes('-h')) {
		console.log(help);
		process.exit(0);
	}
	const isFlag = (one: string) => one.startsWith('-');
	const values = new Map<string, string>();
	const others: string[] = [];
	for (let i = 0; i < given.length; i++) {
		const one = given[i] ?? '';
		if (!valued.includes(one)) {
			others.push(one);
			continue;
		}
		const value = given[++i];
		if (value === undefined || isFlag(value)) throw new Error(`${one} lacks its value.\n\n${help}`);
		values.set(one, value);
	}
	const unknown = others.filter((one) => (isFlag(one) ? !flags.includes(one) : !words));
	if (unknown.length > 0) throw new Error(`There is no ${unknown.join(' ')}.\n\n${help}`);
	return {
		flags: new Set(others.filter(isFlag)),
		values,
		words: others.filter((one) => !isFlag(one)),
	};
}
