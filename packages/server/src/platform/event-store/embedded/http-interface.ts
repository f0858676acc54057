import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { systemClock } from "../../lib/clock.ts";
import type { Engine, Statement } from "./engine.ts";
import { engineException } from "./engine-error.ts";
import { carriesSecret, readEngineRequest } from "./http-request.ts";

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

/** Resolves when more can be written, or when nobody is there any more, which may have been noticed already. */
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
