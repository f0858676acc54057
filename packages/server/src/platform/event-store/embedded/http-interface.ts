import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { systemClock } from "../../lib/clock.ts";
import { equalConstantTime } from "../../lib/crypto.ts";
import type { Engine, Statement } from "./engine.ts";

/** Fields of the URL that are not settings of the engine. */
const NOT_SETTINGS: ReadonlySet<string> = new Set([
	"query",
	"query_id",
	"database",
	"default_format",
	"session_id",
	"enable_http_compression",
	"send_progress_in_http_headers",
	"wait_end_of_query",
]);

/** Reads a POST of the store client: the query in the body, or in the URL with an insert's rows in the body. */
async function readEngineRequest(request: IncomingMessage) {
	if (request.headers["content-encoding"] !== undefined) throw new Error("Compressed requests are not supported");
	const fields = new URLSearchParams(request.url?.split("?")[1] ?? "");
	const assignments = new Map<string, string>();
	for (const [name, value] of fields) if (!NOT_SETTINGS.has(name)) assignments.set(name, value);
	const body = await readBody(request);
	const query = fields.get("query");
	return {
		sql: query ?? body.toString("utf8"),
		/** Rows of an insert; undefined when the body was the query itself. */
		body: query === null ? undefined : body,
		assignments,
		queryId: fields.get("query_id") ?? "",
	};
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const [first] = chunks;
	return first && chunks.length === 1 ? first : Buffer.concat(chunks);
}

/** True when the request's Basic password is the secret. */
function carriesSecret(request: IncomingMessage, secret: string): boolean {
	const given = /^Basic ([A-Za-z0-9+/=]+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
	const password = Buffer.from(given, "base64").toString("utf8").split(":").slice(1).join(":");
	return equalConstantTime(password, secret);
}

/** Text of an exception of the engine, with its number in the list of error codes; 1002 (unknown exception) when it names none. */
function engineException(error: unknown) {
	const message = error instanceof Error ? error.message : String(error);
	return { code: Number(/^Code: (\d+)\./.exec(message)?.[1] ?? 1002), message };
}

/** Long lists of bound values travel in the URL. */
const MAX_URL_BYTES = 1024 * 1024;
const KEEP_ALIVE_MS = 60_000;
const AUTHENTICATION_FAILED = 516;
const STREAMED = /\bFORMAT\s+(JSONCompactEachRowWithNamesAndTypes|TSVRaw|TabSeparated)\s*;?\s*$/i;
/** Lines of names and types; the engine repeats them in every piece of a streamed answer. */
const HEADER_LINES: Readonly<Record<string, number>> = { jsoncompacteachrowwithnamesandtypes: 2 };
/** A format with an end of its own cannot be put together from pieces. */
const WHOLE_FILE = /\bFORMAT\s+Parquet\s*;?\s*$/i;

/** Prefix of a request that ends a statement, followed by the client's id of it. */
const CANCEL = "/cancel?query_id=";

/** Running statements by id, with the controllers that end them. */
type UnderWay = Map<string, AbortController>;

/** The ClickHouse HTTP interface over an engine, as far as the store client uses it. */
export function createHttpInterface(engine: Engine, secret: string): Server {
	const underWay: UnderWay = new Map();
	const server = createServer(
		{ maxHeaderSize: MAX_URL_BYTES, keepAliveTimeout: KEEP_ALIVE_MS },
		(request, response) => {
			if (request.url === "/ping") return void response.end("Ok.\n");
			if (!carriesSecret(request, secret)) {
				request.resume();
				return sendException(
					response,
					`Code: ${AUTHENTICATION_FAILED}. DB::Exception: Wrong secret. (AUTHENTICATION_FAILED)`,
				);
			}
			if (request.url?.startsWith(CANCEL)) {
				underWay.get(request.url.slice(CANCEL.length))?.abort(new Error("The client has no use for it any more"));
				return void response.end();
			}
			answer(engine, underWay, request, response).catch((error: unknown) => sendException(response, error));
		},
	);
	server.requestTimeout = 0;
	return server;
}

async function answer(
	engine: Engine,
	underWay: UnderWay,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const { sql, body, assignments, queryId } = await readEngineRequest(request);
	const hangUp = new AbortController();
	if (queryId !== "") underWay.set(queryId, hangUp);
	response.on("close", () => {
		underWay.delete(queryId);
		if (!response.writableFinished) hangUp.abort(new Error("The client hung up"));
	});
	const statement: Statement = { sql, assignments, signal: hangUp.signal };
	response.setHeader("X-ClickHouse-Query-Id", queryId.replace(/[^\w-]/g, ""));
	if (body) {
		const written = await engine.insert(statement, body);
		response.setHeader("X-ClickHouse-Summary", JSON.stringify({ written_rows: String(written) }));
		response.end();
	} else if (STREAMED.test(sql)) {
		await streamAnswer(engine, statement, response);
	} else if (WHOLE_FILE.test(sql)) {
		await sendFile(engine, { ...statement, sql: sql.replace(WHOLE_FILE, "") }, response);
	} else {
		const began = systemClock.monotonic();
		const bytes = await engine.query(statement);
		const elapsed = Math.round((systemClock.monotonic() - began) * 1e6);
		response.setHeader("X-ClickHouse-Summary", JSON.stringify({ elapsed_ns: String(elapsed) }));
		response.end(bytes);
	}
}

async function streamAnswer(engine: Engine, statement: Statement, response: ServerResponse): Promise<void> {
	const tag = randomBytes(8).toString("hex");
	response.setHeader("X-ClickHouse-Exception-Tag", tag);
	const headerLines = HEADER_LINES[STREAMED.exec(statement.sql)?.[1]?.toLowerCase() ?? ""] ?? 0;
	let first = true;
	try {
		await engine.stream(statement, async (chunk) => {
			const rows = first ? chunk : withoutLines(chunk, headerLines);
			first = false;
			if (!response.write(rows)) await drained(response);
		});
		response.end();
	} catch (error) {
		if (!response.headersSent) throw error;
		// The end that ClickHouse itself gives to an answer that breaks off.
		const text = `${engineException(error).message}\n`;
		response.end(`\r\n__exception__\r\n${tag}\r\n${text}${Buffer.byteLength(text)} ${tag}\r\n__exception__\r\n`);
	}
}

/** The engine makes the file first: in memory it would be as large. A reader that is gone in the meantime ends the query. */
async function sendFile(engine: Engine, statement: Statement, response: ServerResponse): Promise<void> {
	const path = await engine.writeParquet(statement);
	try {
		await pipeline(createReadStream(path), response);
	} finally {
		await rm(path, { force: true });
	}
}

/** Resolves when more can be written, or when the client has gone, possibly before the call. */
function drained(response: ServerResponse): Promise<void> {
	return new Promise((resolve) => {
		if (response.closed) return resolve();
		const go = () => {
			response.off("drain", go);
			response.off("close", go);
			resolve();
		};
		response.on("drain", go);
		response.on("close", go);
	});
}

function withoutLines(chunk: Uint8Array, count: number): Uint8Array {
	let from = 0;
	for (let line = 0; line < count; line++) from = chunk.indexOf(0x0a, from) + 1;
	return chunk.subarray(from);
}

function sendException(response: ServerResponse, error: unknown): void {
	if (response.destroyed || response.headersSent) return void response.destroy();
	const { code, message } = engineException(error);
	response.writeHead(code === AUTHENTICATION_FAILED ? 403 : 500, { "X-ClickHouse-Exception-Code": String(code) });
	response.end(`${message}\n`);
}
