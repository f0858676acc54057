const escapedRun = /(?:%[89A-F][\dA-F])+/gi;

/**
 * A path as people read it: escapes of characters beyond ASCII decoded where they are valid UTF-8. The service takes it in
 * filters and steps, too.
 */
export const readablePath = (path: string): string =>
	path.replace(escapedRun, (run) => {
		try {
			return decodeURIComponent(run);
		} catch {
			return run;
		}
	});
