/**
 * The environment of a program: the settings given and, of this process, only where programs and temporary files are. Its modules are
 * compiled once for all tests.
 */
export function ownEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
	const { PATH = "", TMPDIR, NODE_COMPILE_CACHE } = process.env;
	const known = {
		PATH,
		...(TMPDIR !== undefined && { TMPDIR }),
		...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
	};
	return { ...known, ...env };
}
