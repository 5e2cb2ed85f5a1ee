/**
 * The words and flags of the command line. `--help` prints the help and ends the process; a flag
 * that the tool does not know, or a word where it takes none, is an error.
 */
export function readOptions(
	help: string,
	{ flags = [], words = false }: { flags?: string[]; words?: boolean } = {},
): { flags: Set<string>; words: string[] } {
	const given = process.argv.slice(2);
	if (given.includes('--help') || given.includes('-h')) {
		console.log(help);
		process.exit(0);
	}
	const isFlag = (one: string) => one.startsWith('-');
	const unknown = given.filter((one) => (isFlag(one) ? !flags.includes(one) : !words));
	if (unknown.length > 0) throw new Error(`There is no ${unknown.join(' ')}.\n\n${help}`);
	return {
		flags: new Set(given.filter(isFlag)),
		words: given.filter((one) => !isFlag(one)),
	};
}
