import type { InjectOptions } from "fastify";

interface Sent {
	readonly headers?: Readonly<Record<string, string>> | undefined;
	readonly body?: unknown;
	/** Stands behind what the route asks already. */
	readonly query?: string;
}

/** A request as `GET /sites`, below the version prefix. */
export function requestOf(route: string, { headers, body, query }: Sent = {}): InjectOptions {
	const [method = "GET", path = "/"] = route.split(" ");
	const more = query === undefined ? "" : `${path.includes("?") ? "&" : "?"}${query}`;
	const payload = body === undefined ? {} : { payload: body as object };
	return { method: method as "GET", url: `/api/v1${path}${more}`, headers: { ...headers }, ...payload };
}
