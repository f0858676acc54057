import { type AddressOf, requestOf } from "./requests.ts";

/** A text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The command that asks the same; `$KEY` stands for an API token. */
export function curlOf<R extends string>(origin: string, route: R, params: object, addressOf: AddressOf<R>): string {
	const { address, body } = requestOf(route, params, addressOf);
	const [key, url] = ['-H "X-API-Key: $KEY"', quoted(origin + address)];
	return body === undefined
		? `curl ${key} ${url}`
		: `curl ${key} -H "Content-Type: application/json" ${url} -d ${quoted(body)}`;
}
