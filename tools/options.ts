/**
 * Reads the words, flags and values of the command line. `--help` prints the help and ends the process.
 * Throws an error for an unknown flag, a flag without its value, and a word if the tool takes none.
 *
 * @param valued flags that are followed by a value
 */
export function readOptions(
	help: string,
	{
		flags = [],
		valued = [],
		words = false,
	}: { flags?: string[]; valued?: string[]; words?: boolean } = {},
): { flags: Set<string>; values: Map<string, string>; words: string[] } {
	const args = process.argv.slice(2);
	if (args.includes('--help') || args.includes('-h')) {
		console.log(help);
		process.exit(0);
	}
	const isFlag = (one: string) => one.startsWith('-');
	const values = new Map<string, string>();
	const others: string[] = [];
	for (let i = 0; i < args.length; i++) {
		const one = args[i] ?? '';
		if (!valued.includes(one)) {
			others.push(one);
			continue;
		}
		const value = args[++i];
		if (value === undefined || isFlag(value)) throw new Error(`${one} needs a value.\n\n${help}`);
		values.set(one, value);
	}
	const unknown = others.filter((one) => (isFlag(one) ? !flags.includes(one) : !words));
	if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(' ')}.\n\n${help}`);
	return {
		flags: new Set(others.filter(isFlag)),
		values,
		words: others.filter((one) => !isFlag(one)),
	};
}
