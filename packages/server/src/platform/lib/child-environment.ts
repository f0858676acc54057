import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";

/**
 * Environment of the processes that this one starts: none of its settings, but its cache of compiled modules, as to compile them
 * anew takes most of such a start.
 */
export function childEnvironment(): Readonly<Record<string, string>> {
	const cache = getCompileCacheDir();
	// The directory is one of this Node within that of the cache.
	return { TZ: "UTC", ...(cache !== undefined && { NODE_COMPILE_CACHE: dirname(cache) }) };
}
