import { failureOf } from "../lib/failure.ts";
import type { Routes } from "./api.generated.ts";
import { send } from "./session.ts";

/** A route of the API: `GET /sites/{id}`. */
export type Route = keyof Routes;
/** The answer of a route: the `data` of its envelope, if it has one. */
export type Answer<R extends Route> = Routes[R]["answer"];
/** Query parameters of a route. */
export type Query<R extends Route> = Routes[R]["query"];

/** Input of a call; parts that the route does not have may be omitted. */
export type Input<R extends Route> = { signal?: AbortSignal | undefined } & (keyof Routes[R]["path"] extends never
	? { path?: undefined }
	: { path: Routes[R]["path"] }) & { query?: Routes[R]["query"] } & (Routes[R]["body"] extends undefined
		? { body?: undefined }
		: { body: Routes[R]["body"] });

/** The address of a route with its parameters; lists repeat their name. */
export function addressOf(route: Route, path: object = {}, query: object = {}): string {
	const template = route.slice(route.indexOf(" ") + 1);
	const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
		encodeURIComponent(String((path as Record<string, unknown>)[name])),
	);
	const search = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) {
		if (value === undefined) continue;
		for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
	}
	return `/api/v1${filled}${search.size > 0 ? `?${search}` : ""}`;
}

/**
 * Calls the API as the signed-in user.
 * @throws {Failure} with the API's code; `offline` where no answer came.
 */
export async function call<R extends Route>(
	route: R,
	...[input]: Partial<Input<R>> extends Input<R> ? [Input<R>?] : [Input<R>]
): Promise<Answer<R>> {
	const { path, query, body, signal } = (input ?? {}) as {
		path?: object;
		query?: object;
		body?: unknown;
		signal?: AbortSignal;
	};
	const response = await send(addressOf(route, path, query), {
		method: route.slice(0, route.indexOf(" ")),
		...(body !== undefined && { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
		...(signal && { signal }),
	});
	if (!response.ok) throw await failureOf(response);
	if (response.status === 204) return undefined as Answer<R>;
	return unwrap(await response.json()) as Answer<R>;
}

/** The `data` of an envelope, with its `meta` where that tells since when there are data; lists answer without one. */
export function unwrap(answer: unknown): unknown {
	if (typeof answer !== "object" || answer === null || !("success" in answer && "data" in answer)) return answer;
	const { data, meta } = answer as { readonly data: unknown; readonly meta?: object };
	if (meta === undefined || !("baseline_start" in meta) || typeof data !== "object" || Array.isArray(data)) return data;
	return { ...data, meta };
}
