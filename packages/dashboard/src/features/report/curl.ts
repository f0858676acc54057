/** Parameters that stand in the address of a question that has a body. */
const inAddress = ["site_id", "account_id", "segment", "imports", "segment_filters"];

/** A text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The command that asks the same; `$KEY` stands for an API token. */
export function curlOf<R extends string>(
	origin: string,
	route: R,
	params: object,
	addressOf: (route: R, path: object, query: object) => string,
): string {
	const key = '-H "X-API-Key: $KEY"';
	if (route.startsWith("GET ")) return `curl ${key} ${quoted(origin + addressOf(route, {}, params))}`;
	const entries = Object.entries(params).filter(([, value]) => value !== undefined);
	const query = Object.fromEntries(entries.filter(([name]) => inAddress.includes(name)));
	const body = Object.fromEntries(entries.filter(([name]) => !inAddress.includes(name)));
	const url = quoted(origin + addressOf(route, {}, query));
	return `curl ${key} -H "Content-Type: application/json" ${url} -d ${quoted(JSON.stringify(body))}`;
}
