import { type AnyQuestion, askTogether, type Outcomes } from "./batch.ts";
import { FootfallError } from "./footfall-error.ts";
import { objectsOf } from "./lines.ts";
import type { ClientOptions } from "./options.ts";
import { pagesOf, rowsOf } from "./paging.ts";
import type { Answer, Arguments, PagedRoute, Route, Row } from "./route.ts";
import { send } from "./send.ts";
import { withoutEnvelope } from "./without-envelope.ts";

/** The API of one service. Every method throws a `FootfallError`, or the abort reason of its `signal`. */
export interface Client {
	/** Asks an operation: `call("GET /sites/{id}", { path: { id: "shop" } })`. */
	call<R extends Route>(route: R, ...input: Arguments<R>): Promise<Answer<R>>;
	/** The same with the answer as it comes: for files, streams and headers. Its body is still to be read. */
	send<R extends Route>(route: R, ...input: Arguments<R>): Promise<Response>;
	/** The answers of a list, page after page, from the page that `query` names. */
	pages<R extends PagedRoute>(route: R, ...input: Arguments<R>): AsyncGenerator<Answer<R>, void, undefined>;
	/** All items of a list, over all its pages. */
	rows<R extends PagedRoute>(route: R, ...input: Arguments<R>): AsyncGenerator<Row<R>, void, undefined>;
	/** The objects of an answer that comes line by line, as they arrive: `POST /exports/stream`, `POST /batch`. */
	lines<T = unknown, R extends Route = Route>(route: R, ...input: Arguments<R>): AsyncGenerator<T, void, undefined>;
	/** Asks up to 50 reports in one request, each under a name: `batch({ week: report("GET /stats/overview", { … }) })`. */
	batch<Q extends Readonly<Record<string, AnyQuestion>>>(questions: Q, signal?: AbortSignal): Promise<Outcomes<Q>>;
}

/** A client of the service at `baseUrl`. */
export function createClient(options: ClientOptions): Client {
	const ask = async (route: Route, input: object = {}): Promise<unknown> =>
		contentOf(await send(options, route, input));
	// Types by route cannot be expressed for any route at once.
	return {
		call: (route: Route, input?: object) => ask(route, input),
		send: (route: Route, input: object = {}) => send(options, route, input),
		pages: (route: PagedRoute, input?: object) => pagesOf(ask, route, input),
		rows: (route: PagedRoute, input?: object) => rowsOf(ask, route, input),
		lines: (route: Route, input?: object) => objectsOf((asked) => send(options, route, asked), input),
		batch: (questions: Readonly<Record<string, AnyQuestion>>, signal?: AbortSignal) =>
			askTogether(ask, questions, signal),
	} as Client;
}

/** Content of an answer: JSON without its envelope, nothing, or the answer itself if it is no JSON. */
async function contentOf(response: Response): Promise<unknown> {
	if (response.status === 204) return undefined;
	if (!/\bjson\b/.test(response.headers.get("Content-Type") ?? "")) return response;
	try {
		return withoutEnvelope(await response.json());
	} catch (cause) {
		if (!(cause instanceof SyntaxError)) throw cause;
		const { status } = response;
		throw new FootfallError("The answer is no JSON", { code: "unexpected_answer", status, cause });
	}
}
