import type { ImportedItem } from "../format.ts";
import { utf8Of } from "../lines-of.ts";
import type { logTimes } from "./log-time.ts";
import { isPagePath, isShown } from "./page-requests.ts";

const [SPACE, QUOTE, BACKSLASH] = [0x20, 0x22, 0x5c];

/**
 * What a line of the combined format says, with or without the host in front:
 * `[host ]address ident user [time] "request" status bytes "referrer" "agent"…`
 */
export function combinedLine(text: string, line: number, timeAt: ReturnType<typeof logTimes>): ImportedItem {
	const malformed = { kind: "skipped", line, reason: "malformed" } as const;
	const bracket = text.indexOf(" [");
	if (bracket < 0) return malformed;
	const request = text.indexOf('] "', bracket);
	if (request < 0) return malformed;
	const requestEnd = closingQuote(text, request + 3);
	const at = timeAt(text, bracket + 2);
	if (requestEnd < 0 || at === undefined) return malformed;
	const status = statusAt(text, requestEnd + 2);
	if (status === undefined) return malformed;
	const target = pageTarget(text, request + 3, requestEnd);
	if (target === undefined || !isShown(status)) return { kind: "skipped", line, reason: "not_a_page" };
	const referrerStart = text.indexOf(' "', requestEnd + 1);
	const referrerEnd = referrerStart < 0 ? -1 : closingQuote(text, referrerStart + 2);
	const agentEnd = referrerEnd < 0 ? -1 : closingQuote(text, referrerEnd + 3);
	if (agentEnd < 0 || text.charCodeAt(referrerEnd + 2) !== QUOTE) return malformed;
	const client = clientOf(text, bracket);
	if (client === undefined) return malformed;
	return {
		kind: "hit",
		line,
		at,
		host: target.host ?? client.host,
		target: target.path,
		referrer: plain(text.slice(referrerStart + 2, referrerEnd)),
		userAgent: plain(text.slice(referrerEnd + 3, agentEnd)),
		visitor: client.address,
	};
}

/** Path and query of a request line such as `GET /shop?x=1 HTTP/1.1`, when it asks for a page. */
export function pageTarget(
	text: string,
	start: number,
	end: number,
): { readonly path: string; readonly host: string | undefined } | undefined {
	if (!text.startsWith("GET ", start)) return undefined;
	const space = text.indexOf(" ", start + 4);
	return targetOf(decoded(text.slice(start + 4, space < 0 || space > end ? end : space)));
}

/** The same of the target alone; one that is a whole address tells its host. */
export function targetOf(target: string): { readonly path: string; readonly host: string | undefined } | undefined {
	if (target.charCodeAt(0) === 0x2f) return isPagePath(target) ? { path: target, host: undefined } : undefined;
	const address = /^https?:\/\/([^/?#]+)(.*)$/i.exec(target);
	if (address === null) return undefined;
	const [, host = "", rest = ""] = address;
	const path = rest.startsWith("/") ? rest : `/${rest}`;
	return isPagePath(path) ? { path, host } : undefined;
}

function statusAt(text: string, at: number): number | undefined {
	const status = Number(text.slice(at, at + 3));
	return Number.isInteger(status) && status >= 100 && status <= 999 && text.charCodeAt(at - 1) === SPACE
		? status
		: undefined;
}

/** Address and, where a line begins with it, host: three or four words stand before the time. */
function clientOf(
	text: string,
	bracket: number,
): { readonly address: string; readonly host: string | undefined } | undefined {
	const first = text.indexOf(" ");
	const second = text.indexOf(" ", first + 1);
	if (first < 1 || first === bracket || second < 0 || second === bracket) return undefined;
	const third = text.indexOf(" ", second + 1);
	// A user name may have blanks, but no second word of the plain format is an address.
	const hasHost = third >= 0 && third < bracket && isAddress(text, first + 1, second);
	return hasHost
		? { host: decoded(text.slice(0, first)), address: text.slice(first + 1, second) }
		: { host: undefined, address: text.slice(0, first) };
}

/** Digits and a point, or colons. */
function isAddress(text: string, start: number, end: number): boolean {
	let isSeparated = false;
	for (let at = start; at < end; at++) {
		const code = text.charCodeAt(at);
		const isDigit = code >= 0x30 && code <= 0x39;
		const isHex = (code >= 0x61 && code <= 0x66) || (code >= 0x41 && code <= 0x46);
		const isSeparator = code === 0x2e || code === 0x3a;
		if (!isDigit && !isHex && !isSeparator) return false;
		isSeparated ||= isSeparator;
	}
	return isSeparated;
}

/** Where a quoted text ends; a quote in it stands behind a backslash. */
function closingQuote(text: string, start: number): number {
	for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 1)) {
		let backslashes = 0;
		while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
		if (backslashes % 2 === 0) return at;
	}
	return -1;
}

const escapes: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r", v: "\v", b: "\b", f: "\f" };

/** Servers write quotes, backslashes and bytes beyond ASCII as `\"`, `\\` and `\xC3`. */
function decoded(text: string): string {
	if (!text.includes("\\")) return utf8Of(text);
	const bytes = text.replace(/\\(?:x([0-9A-Fa-f]{2})|(.))/g, (_, hex: string | undefined, letter: string) =>
		hex === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
	);
	return utf8Of(bytes);
}

/** Nothing is written as a dash. */
const plain = (text: string): string => (text === "-" ? "" : decoded(text));
