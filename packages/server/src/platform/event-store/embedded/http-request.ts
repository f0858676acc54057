import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** A request to the ClickHouse HTTP interface. */
export interface EngineRequest {
	readonly sql: string;
	/** Rows of an insert; undefined when the body was the query itself. */
	readonly body: Buffer | undefined;
	readonly assignments: ReadonlyMap<string, string>;
	readonly queryId: string;
}

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
export async function readEngineRequest(request: IncomingMessage): Promise<EngineRequest> {
	if (request.headers["content-encoding"] !== undefined) throw new Error("Compressed requests are not supported");
	const fields = new URLSearchParams(request.url?.split("?")[1] ?? "");
	const assignments = new Map<string, string>();
	for (const [name, value] of fields) if (!NOT_SETTINGS.has(name)) assignments.set(name, value);
	const body = await readBody(request);
	const query = fields.get("query");
	return {
		sql: query ?? body.toString("utf8"),
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

/** True when the request's Basic password is the secret; the comparison takes the same time for every wrong one. */
export function carriesSecret(request: IncomingMessage, secret: string): boolean {
	const given = /^Basic ([A-Za-z0-9+/=]+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
	const password = Buffer.from(given, "base64").toString("utf8").split(":").slice(1).join(":");
	const digest = (text: string) => createHash("sha256").update(text).digest();
	return timingSafeEqual(digest(password), digest(secret));
}
