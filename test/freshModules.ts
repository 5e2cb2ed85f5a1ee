/**
 * Loads modules of some folders again, as a new process does, and leaves the loaded ones as they are.
 *
 * @param replace modules that are not loaded from their file, by their path
 */
export function loadFreshModules<T>(
	folders: readonly string[],
	load: () => T,
	replace: Record<string, object> = {},
): T {
	const listLoaded = () =>
		Object.entries(require.cache).filter(([file]) =>
			folders.some((folder) => file.startsWith(folder)),
		);
	const forget = () => {
		for (const [file] of listLoaded()) delete require.cache[file];
	};
	const before = listLoaded();
	forget();
	try {
		for (const [file, exports] of Object.entries(replace)) {
			require.cache[file] = { exports, loaded: true } as NodeModule;
		}
		return load();
	} finally {
		forget();
		Object.assign(require.cache, Object.fromEntries(before));
	}
}
