import assert from "node:assert/strict";
import type { InjectOptions, LightMyRequestResponse } from "fastify";

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

interface Injectable {
	inject(request: InjectOptions): Promise<LightMyRequestResponse>;
}

/** Sends a request that has to succeed; answers its data, or all of an answer without any. */
export async function dataOf(app: Injectable, route: string, sent?: Sent): Promise<ReturnType<typeof JSON.parse>> {
	const response = await app.inject(requestOf(route, sent));
	assert.ok(response.statusCode < 300, `${route}: ${response.statusCode} ${response.body}`);
	const answer = response.body === "" ? {} : response.json();
	return answer.data ?? answer;
}
