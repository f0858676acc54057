/** An address's parameters: a name that comes once is a text, one that repeats a list. */
export function parseSearch(text: string): Record<string, string | string[]> {
	const found: Record<string, string | string[]> = {};
	for (const [name, value] of new URLSearchParams(text)) {
		const before = found[name];
		found[name] = before === undefined ? value : [before, value].flat();
	}
	return found;
}

/** Its counterpart; signs that may stand in a query (RFC 3986, 3.4) stay readable. */
export function stringifySearch(search: Record<string, unknown>): string {
	const parameters = new URLSearchParams();
	for (const [name, value] of Object.entries(search)) {
		if (value === undefined || value === null) continue;
		for (const one of [value].flat()) parameters.append(name, String(one));
	}
	const text = parameters.toString().replaceAll("%3A", ":").replaceAll("%2F", "/").replaceAll("%2C", ",");
	return text === "" ? "" : `?${text}`;
}
