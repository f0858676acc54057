import type { pagedBy, Routes } from "./routes.generated.ts";

/** An operation of the API: `GET /sites/{id}`. */
export type Route = keyof Routes;
/** Answer of an operation: the `data` of its envelope if there is one. */
export type Answer<R extends Route> = Routes[R]["answer"];
/** Query parameters of an operation. */
export type Query<R extends Route> = Routes[R]["query"];
/** The body of an operation. */
export type Body<R extends Route> = Routes[R]["body"];

/** A list that comes in pages. */
export type PagedRoute = keyof typeof pagedBy;
/** An element of what an operation lists. */
export type Row<R extends Route> = {
	[Field in keyof Answer<R>]-?: Answer<R>[Field] extends readonly (infer One)[] ? One : never;
}[keyof Answer<R>];

/** A report that may be asked together with others. */
export type Report = Extract<
	Route,
	`GET /stats/${string}` | "POST /stats/query" | "POST /stats/funnel" | "POST /stats/explain"
>;

/** Input of a call; parts that the operation does not have may be omitted. */
export type Input<R extends Route> = {
	/** Breaks the call off. */
	readonly signal?: AbortSignal | undefined;
	readonly headers?: Readonly<Record<string, string>> | undefined;
} & (keyof Routes[R]["path"] extends never ? { readonly path?: undefined } : { readonly path: Routes[R]["path"] }) &
	(Partial<Query<R>> extends Query<R> ? { readonly query?: Query<R> } : { readonly query: Query<R> }) &
	(undefined extends Body<R> ? { readonly body?: Body<R> } : { readonly body: Body<R> });

/** The input of a call, which may be left out where nothing in it is needed. */
export type Arguments<R extends Route> = Partial<Input<R>> extends Input<R> ? [Input<R>?] : [Input<R>];

/** The input of any call, as far as sending it goes. */
export interface AnyInput {
	readonly path?: object | undefined;
	readonly query?: object | undefined;
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>> | undefined;
	readonly signal?: AbortSignal | undefined;
}

/** The address of an operation below the service's; lists repeat their name. */
export function addressOf(route: Route, { path = {}, query = {} }: AnyInput): string {
	const values = new Map<string, unknown>(Object.entries(path));
	const template = route.slice(route.indexOf(" ") + 1);
	const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
		const value = values.get(name);
		// An address that lacks a part is another address.
		if (value === undefined || value === "") throw new TypeError(`${route} needs path.${name}`);
		return encodeURIComponent(String(value));
	});
	const search = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) {
		if (value === undefined) continue;
		for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
	}
	return `/api/v1${filled}${search.size > 0 ? `?${search}` : ""}`;
}

/** The method of an operation. */
export const methodOf = (route: Route): string => route.slice(0, route.indexOf(" "));
