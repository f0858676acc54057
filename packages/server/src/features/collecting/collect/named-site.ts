/**
 * The site that the beginning of a body names, where its id stands before any list or object; empty where it cannot be read.
 */
export function namedSite(beginning: string): string {
	const json = beginning.trimStart().startsWith("{") ? beginning : new URLSearchParams(beginning).get("d");
	return /^\s*\{[^{[]*?"a"\s*:\s*"([^"\\]{1,64})"/.exec(json ?? "")?.[1] ?? "";
}
