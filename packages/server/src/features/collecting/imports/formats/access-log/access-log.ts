import { isRecord } from "../../../../../platform/lib/is-record.ts";
import { beginningOf } from "../file-kind.ts";
import { type FormatContext, type ImportFile, type ImportFormat, UnreadableFile } from "../format.ts";
import { type Lines, linesOf, utf8Of } from "../lines-of.ts";
import { instantReader } from "../read-instant.ts";
import { clientAddress, isPublic } from "./client-of.ts";
import { combinedLine, isShown, type LogItem, logTimes, malformed, pageTarget, targetOf } from "./combined-line.ts";

/** Lines that are looked at before a file is taken. */
const LOOKED_AT = 200;

/** Access logs of web servers: the combined format, and JSON by the line. Each line may be the one or the other. */
export const accessLog: ImportFormat = { source: "access_log", check, read };

async function check(file: ImportFile, context: FormatContext): Promise<void> {
	const unknown = Object.values(context.columnMap).find((ours) => !(ours in jsonFields));
	if (unknown !== undefined) {
		const names = Object.keys(jsonFields).join(", ");
		throw new UnreadableFile(`A field of ours is one of ${names}`, "column_map");
	}
	const { kind } = await beginningOf(file);
	if (kind !== undefined) throw new UnreadableFile("A log is a text, plain or packed with gzip");
	const itemsOf = logItems(context);
	let looked = 0;
	let first: string | undefined;
	for await (const lines of linesOf(file)) {
		for (const item of itemsOf(lines)) {
			if (item.kind === "hit" || item.reason !== "malformed") return;
			first ??= `line ${item.line} has ${item.problem}`;
		}
		looked += lines.texts.length;
		if (looked >= LOOKED_AT) break;
	}
	throw new UnreadableFile(
		first === undefined
			? "The file, or its beginning, is empty"
			: `No line of the beginning is one of an access log in the combined format or in JSON by the line: ${first}`,
	);
}

async function* read(file: ImportFile, context: FormatContext): AsyncGenerator<readonly LogItem[]> {
	const itemsOf = logItems(context);
	for await (const lines of linesOf(file)) yield itemsOf(lines);
}

/** Reads lines that come together; an empty one is no item. */
function logItems({ columnMap, timezone }: FormatContext): (lines: Lines) => LogItem[] {
	const lineOf = logLines(columnMap, timezone);
	return ({ texts, first }) => {
		const items: LogItem[] = [];
		for (let index = 0; index < texts.length; index++) {
			const text = texts[index] ?? "";
			// The end of the file, or a line between two.
			if (text !== "" && text !== "\r") items.push(lineOf(text, first + index));
		}
		return items;
	};
}

/** Names of fields in JSON, the first that a line has: variables of nginx, names of Caddy and Traefik. A point leads into an object. */
const jsonFields = {
	time: ["time_iso8601", "time_local", "msec", "ts", "StartUTC", "@timestamp", "timestamp", "time"],
	address: [
		...["remote_addr", "client_ip", "request.client_ip", "request.remote_ip", "remote_ip", "ClientHost", "ip"],
		...["request.remote_addr", "ClientAddr"],
	],
	forwarded_for: [
		"http_x_forwarded_for",
		"x_forwarded_for",
		"request.headers.X-Forwarded-For",
		"request_X-Forwarded-For",
	],
	method: ["request_method", "method", "request.method", "RequestMethod"],
	target: ["request_uri", "uri", "request.uri", "RequestPath", "path"],
	request: ["request", "request_line"],
	status: ["status", "DownstreamStatus", "OriginStatus"],
	referrer: ["http_referer", "http_referrer", "referer", "referrer", "request.headers.Referer", "request_Referer"],
	user_agent: ["http_user_agent", "user_agent", "agent", "request.headers.User-Agent", "request_User-Agent"],
	host: ["host", "http_host", "request.host", "RequestHost", "server_name"],
} as const satisfies Record<string, readonly string[]>;
type JsonField = keyof typeof jsonFields;

type Reader = (line: Record<string, unknown>) => unknown;

/** An envelope may lie in another one. */
const DEEPEST = 3;

/** Reads lines of either form, and of envelopes that hold one; names of the user's own come first. */
function logLines(columnMap: Readonly<Record<string, string>>, timezone: string) {
	const readers = Object.fromEntries(
		Object.entries(jsonFields).map(([field, names]) => {
			const own = Object.entries(columnMap).flatMap(([theirs, ours]) => (ours === field ? [theirs] : []));
			return [field, readerOf([...own, ...names])];
		}),
	) as Record<JsonField, Reader>;
	const combinedTime = logTimes(timezone);
	const otherTime = instantReader(timezone);

	const instantOf = (value: unknown) =>
		typeof value === "string" && value.charCodeAt(2) === 0x2f ? combinedTime(value, 0) : otherTime(value);

	const entryLine = (entry: Record<string, unknown>, line: number): LogItem => {
		const status = Number(readers.status(entry) ?? Number.NaN);
		const time = readers.time(entry);
		const at = instantOf(time);
		const address = addressOf(textOf(readers.address(entry)), readers.forwarded_for(entry));
		const request = textOf(readers.request(entry));
		const method = textOf(readers.method(entry));
		if (time !== undefined && at === undefined) return malformed(line, `“${String(time).slice(0, 40)}” is no time`);
		const missing = [
			...(at === undefined ? ["time"] : []),
			...(address === "" ? ["address"] : []),
			...(Number.isInteger(status) ? [] : ["status"]),
			...(method === "" && request === "" ? ["method"] : []),
		];
		if (at === undefined || missing.length > 0) return malformed(line, `no field for ${missing.join(", ")}`);
		const isGet = method === "" ? request.startsWith("GET ") : method === "GET";
		const told = textOf(readers.target(entry));
		const target = told === "" ? pageTarget(request, 0, request.length) : targetOf(told);
		if (!isGet || !isShown(status) || target === undefined) return { kind: "skipped", line, reason: "not_a_page" };
		return {
			kind: "hit",
			line,
			at,
			host: target.host ?? (textOf(readers.host(entry)) || undefined),
			target: target.path,
			referrer: dashless(textOf(readers.referrer(entry))),
			userAgent: dashless(textOf(readers.user_agent(entry))),
			visitor: address,
		};
	};

	/** An object that is no line of a log itself may hold one, as the envelopes of containers and collectors do. */
	const objectLine = (entry: Record<string, unknown>, line: number, depth: number): LogItem => {
		const own = entryLine(entry, line);
		if (!isMalformed(own) || depth === DEEPEST) return own;
		for (const value of Object.values(entry).flat()) {
			const inner = isRecord(value)
				? objectLine(value, line, depth + 1)
				: typeof value === "string" && value.length > SHORTEST
					? textLine(Buffer.from(value.trimEnd()).toString("latin1"), line, depth + 1)
					: own;
			if (!isMalformed(inner)) return inner;
		}
		return own;
	};

	/** `text` has bytes as characters of Latin-1. */
	const textLine = (text: string, line: number, depth: number): LogItem => {
		const brace = text.indexOf("{");
		const combined = brace === 0 ? undefined : combinedLine(text, line, combinedTime);
		if (combined !== undefined && !isMalformed(combined)) return combined;
		const entry = brace < 0 ? undefined : parsed(text.slice(brace));
		if (entry !== undefined) return objectLine(entry, line, depth);
		// In a field of a line of another form, its quotes are written as \" or doubled.
		const [quote] = /(?<=\] )(?:\\"|"")/.exec(text) ?? [];
		return quote === undefined || combined === undefined
			? (combined ?? malformed(line, "no JSON"))
			: combinedLine(text.replaceAll(quote, '"'), line, combinedTime);
	};

	return (text: string, line: number): LogItem => textLine(text, line, 0);
}

/** Of a line of a log. */
const SHORTEST = 30;

const isMalformed = (item: LogItem): boolean => item.kind === "skipped" && item.reason === "malformed";

/** The client: behind a proxy of one's own the one that this has written down; a name as it is told. */
function addressOf(told: string, forwarded: unknown): string {
	const address = clientAddress(told);
	if (address !== undefined && isPublic(address)) return address;
	const client = clientAddress([forwarded].flat().map(textOf).join(","));
	return client !== undefined && (address === undefined || isPublic(client)) ? client : (address ?? told);
}

function parsed(text: string): Record<string, unknown> | undefined {
	try {
		const value: unknown = JSON.parse(utf8Of(text));
		return isRecord(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/** Looks for the first name that the line has. */
function readerOf(names: readonly string[]): Reader {
	const paths = names.map((name) => [name, ...(name.includes(".") ? [name.split(".")] : [])] as const);
	return (line) => {
		for (const [name, path] of paths) {
			const value = line[name] ?? (path === undefined ? undefined : below(line, path));
			if (value !== undefined && value !== null && !isRecord(value)) return value;
		}
		return undefined;
	};
}

function below(line: Record<string, unknown>, path: readonly string[]): unknown {
	let value: unknown = line;
	for (const name of path) {
		if (!isRecord(value)) return undefined;
		value = value[name];
	}
	return value;
}

/** Headers come as lists. */
function textOf(value: unknown): string {
	const one: unknown = Array.isArray(value) ? value[0] : value;
	return typeof one === "string" ? one : typeof one === "number" ? String(one) : "";
}

const dashless = (text: string): string => (text === "-" ? "" : text);
