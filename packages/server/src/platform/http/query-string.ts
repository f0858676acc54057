/**
 * Parses a query string into texts, and lists of texts where a name is repeated;
 * `country[]=ES` is the same as `country=ES`. Texts are trimmed.
 */
export function parseQueryString(text: string): Record<string, string | string[]> {
	const query: Record<string, string | string[]> = Object.create(null);
	for (const [rawName, rawValue] of new URLSearchParams(text)) {
		const name = rawName.endsWith("[]") ? rawName.slice(0, -2) : rawName;
		const value = rawValue.trim();
		const earlier = query[name];
		if (earlier === undefined) query[name] = value;
		else if (Array.isArray(earlier)) earlier.push(value);
		else query[name] = [earlier, value];
	}
	return query;
}
