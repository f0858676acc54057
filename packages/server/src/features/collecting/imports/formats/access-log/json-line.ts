import { isRecord } from "../../../../../platform/lib/is-record.ts";
import type { ImportedItem } from "../format.ts";
import { utf8Of } from "../lines-of.ts";
import { pageTarget, targetOf } from "./combined-line.ts";
import { logTimes } from "./log-time.ts";
import { isShown } from "./page-requests.ts";

/**
 * Names by which servers call what is needed, the first that a line has; a name with a point lies in an object of the line.
 * Those of nginx are its variables, Caddy and Traefik have names of their own.
 */
export const jsonFields = {
	time: ["time_iso8601", "time_local", "msec", "ts", "StartUTC", "@timestamp", "timestamp", "time"],
	address: ["remote_addr", "client_ip", "request.client_ip", "request.remote_ip", "remote_ip", "ClientHost", "ip"],
	method: ["request_method", "method", "request.method", "RequestMethod"],
	target: ["request_uri", "uri", "request.uri", "RequestPath", "path"],
	request: ["request", "request_line"],
	status: ["status", "DownstreamStatus", "OriginStatus"],
	referrer: ["http_referer", "http_referrer", "referer", "referrer", "request.headers.Referer", "request_Referer"],
	user_agent: ["http_user_agent", "user_agent", "agent", "request.headers.User-Agent", "request_User-Agent"],
	host: ["host", "http_host", "request.host", "RequestHost", "server_name"],
} as const satisfies Record<string, readonly string[]>;
export type JsonField = keyof typeof jsonFields;

type Reader = (line: Record<string, unknown>) => unknown;

/** Reads lines of JSON; names of the user's own come first. */
export function jsonLines(columnMap: Readonly<Record<string, string>>) {
	const readers = Object.fromEntries(
		Object.entries(jsonFields).map(([field, names]) => {
			const own = Object.entries(columnMap).flatMap(([theirs, ours]) => (ours === field ? [theirs] : []));
			return [field, readerOf([...own, ...names])];
		}),
	) as Record<JsonField, Reader>;
	const localTimes = logTimes();
	return (text: string, line: number): ImportedItem => {
		const malformed = { kind: "skipped", line, reason: "malformed" } as const;
		const entry = parsed(text);
		if (entry === undefined) return malformed;
		const status = Number(readers.status(entry));
		const at = instantOf(readers.time(entry), localTimes);
		const address = textOf(readers.address(entry));
		const request = textOf(readers.request(entry));
		const method = textOf(readers.method(entry));
		if (at === undefined || address === "" || !Number.isInteger(status) || (method === "" && request === ""))
			return malformed;
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

/** Seconds, as nginx and Caddy write them; below this a number is none of milliseconds. */
const FIRST_MILLISECONDS = 1e11;

function instantOf(value: unknown, localTimes: ReturnType<typeof logTimes>): number | undefined {
	if (typeof value === "string" && value.charCodeAt(2) === 0x2f) return localTimes(value, 0);
	const number = typeof value === "number" ? value : /^\d+(?:\.\d+)?$/.test(String(value)) ? Number(value) : Number.NaN;
	const at = Number.isNaN(number) ? Date.parse(String(value)) : number < FIRST_MILLISECONDS ? number * 1000 : number;
	return Number.isFinite(at) && Math.abs(at) < 8e15 ? Math.round(at) : undefined;
}
