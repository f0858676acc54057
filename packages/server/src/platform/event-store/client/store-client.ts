import { type Dispatcher, Pool } from "undici";
import { traceHeaders } from "../../lib/trace.ts";
import { repeatOnAbort } from "../repeat-on-abort.ts";
import { EngineError } from "./engine-error.ts";

const MAX_CONNECTIONS = 64;
/** An idle connection is given up this long before the store would close it. */
const KEEP_ALIVE_MARGIN_MS = 2000;
const CONNECT_WITHIN_MS = 5000;
const PING_WITHIN_MS = 5000;

/** Where a store answers. */
export interface StoreAddress {
	/** `http:` or `https:`; its path is the database. */
	readonly url: string;
	/** The socket file to use instead of the address's host and port. */
	readonly socketPath?: string;
	/** The store can be told to end a statement (`POST /cancel`), and answers the statement when that has ended. */
	readonly takesCancels?: boolean;
}

/** One request. */
export interface StoreRequest {
	/** Settings, and values as `param_*`. */
	readonly fields: Readonly<Record<string, string | number>>;
	/** A statement; with `rows` the one that takes them. */
	readonly sql: string;
	readonly rows?: Uint8Array;
	readonly signal?: AbortSignal | undefined;
	/** Its answer is wanted as a whole: where the store can be told to end it, aborting is over when it has ended. */
	readonly isWhole?: boolean;
	/** Milliseconds in which the answer has to begin, and to go on. */
	readonly withinMs: number;
}

/** An answer whose body comes as it is read. */
export interface StoreAnswer {
	readonly body: Dispatcher.ResponseData["body"];
	header(name: string): string;
}

/** The connections to one store. */
export type StoreClient = ReturnType<typeof openStoreClient>;

/** A client of ClickHouse's HTTP interface. */
export function openStoreClient({ url, socketPath, takesCancels = false }: StoreAddress) {
	const { origin, username, password, pathname } = new URL(url);
	const database = decodeURIComponent(pathname.slice(1));
	const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
	const headers = user === ":" ? {} : { authorization: `Basic ${Buffer.from(user).toString("base64")}` };
	const pool = new Pool(origin, {
		connections: MAX_CONNECTIONS,
		keepAliveTimeoutThreshold: KEEP_ALIVE_MARGIN_MS,
		connect: { timeout: CONNECT_WITHIN_MS, ...(socketPath !== undefined && { socketPath }) },
	});

	let lastQueryId = 0;
	const cancel = async (path: string) => {
		const { body } = await pool.request({ method: "POST", path, headers });
		await body.dump();
	};

	return {
		/** Throws `EngineError` for what the engine refuses, else the errors of undici; aborting closes the connection. */
		async send({ fields, sql, rows, signal, isWhole = false, withinMs }: StoreRequest): Promise<StoreAnswer> {
			const search = new URLSearchParams();
			if (database !== "") search.set("database", database);
			for (const name in fields) search.set(name, String(fields[name]));
			if (rows !== undefined) search.set("query", sql);
			const canceller = takesCancels && isWhole ? signal : undefined;
			const queryId = canceller && String(++lastQueryId);
			if (queryId !== undefined) search.set("query_id", queryId);
			const stopCancelling = canceller && repeatOnAbort(canceller, () => cancel(`/cancel?query_id=${queryId}`));
			const asked = pool.request({
				method: "POST",
				path: search.size === 0 ? "/" : `/?${search}`,
				headers: { ...headers, ...traceHeaders() },
				body: rows ?? sql,
				headersTimeout: withinMs,
				bodyTimeout: withinMs,
				...(signal !== undefined && canceller === undefined && { signal }),
			});
			const answer = await asked.finally(stopCancelling);
			const header = (name: string) => String(answer.headers[name] ?? "");
			const code = header("x-clickhouse-exception-code");
			if (answer.statusCode !== 200 || code !== "") {
				throw new EngineError(await answer.body.text(), code === "" ? undefined : code);
			}
			return { body: answer.body, header };
		},
		/** Throws unless the store answers. */
		async ping(signal?: AbortSignal) {
			const limits = { headersTimeout: PING_WITHIN_MS, bodyTimeout: PING_WITHIN_MS };
			const { statusCode, body } = await pool.request({
				method: "GET",
				path: "/ping",
				...limits,
				...(signal !== undefined && { signal }),
			});
			await body.dump();
			if (statusCode !== 200) throw new EngineError(`The ping was answered with ${statusCode}`);
		},
		/** Ends what is under way. */
		close: () => pool.destroy(),
	};
}
