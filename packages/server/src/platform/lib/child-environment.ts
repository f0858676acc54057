import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";

/** Environment of processes that this one starts: no settings, but the cache of compiled modules, which saves most of a start. */
export function childEnvironment(): Readonly<Record<string, string>> {
	const cache = getCompileCacheDir();
	// The directory is one of this Node within that of the cache.
	return { TZ: "UTC", ...(cache !== undefined && { NODE_COMPILE_CACHE: dirname(cache) }) };
}
