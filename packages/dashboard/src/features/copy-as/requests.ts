/** Parameters that stand in the address of a question that has a body. */
const inAddress = ["site_id", "account_id", "segment", "imports", "segment_filters", "explain"];

/** Writes the address of a route. */
export type AddressOf<R extends string> = (route: R, path: object, query: object) => string;

/** A request for a report. */
interface Request {
	readonly address: string;
	/** JSON, where the question has a body. */
	readonly body?: string;
}

/** A question with its parameters where its route wants them. */
export function requestOf<R extends string>(route: R, params: object, addressOf: AddressOf<R>): Request {
	if (route.startsWith("GET ")) return { address: addressOf(route, {}, params) };
	const entries = Object.entries(params).filter(([, value]) => value !== undefined);
	const [query, body] = [true, false].map((isIn) =>
		Object.fromEntries(entries.filter(([name]) => inAddress.includes(name) === isIn)),
	);
	return { address: addressOf(route, {}, query ?? {}), body: JSON.stringify(body) };
}
