import { MINUTE_MS } from "../../../../../platform/lib/durations.ts";
import { remembered } from "../../remembered.ts";
import type { ImportedHit, SkippedLine } from "../format.ts";
import { utf8Of } from "../lines-of.ts";
import { wallTime } from "../read-instant.ts";
import { clientAddress, clientOf, isPublic } from "./client-of.ts";

/** Outcome of a line of a log. */
export type LogItem = ImportedHit | SkippedLine;

const [SPACE, QUOTE, BACKSLASH] = [0x20, 0x22, 0x5c];

/** Reads a line of the combined format, `address ident user [time] "request" status bytes "referrer" "agent"…`, after any prefix. */
export function combinedLine(text: string, line: number, timeAt: ReturnType<typeof logTimes>): LogItem {
	let at: number | undefined;
	let bracket = text.indexOf("[");
	let request = 0;
	// Other brackets may come before, with other times.
	for (; bracket >= 0; bracket = text.indexOf("[", bracket + 1)) {
		at = timeAt(text, bracket + 1) ?? at;
		request = text.indexOf("]", bracket) + 3;
		if (at !== undefined && text.startsWith('] "', request - 3)) break;
	}
	if (at === undefined) return malformed(line, "no time such as [21/Nov/2026:10:15:30 +0100]");
	const requestEnd = bracket < 0 ? -1 : closingQuote(text, request);
	const status = requestEnd < 0 ? undefined : statusAt(text, requestEnd + 2);
	if (status === undefined) return malformed(line, "no request in quotes and status after the time");
	const referrer = text.indexOf(' "', requestEnd + 1) + 2;
	const referrerEnd = referrer < 2 ? -1 : closingQuote(text, referrer);
	const agentEnd = referrerEnd < 0 ? -1 : closingQuote(text, referrerEnd + 3);
	if (agentEnd < 0 || text.charCodeAt(referrerEnd + 2) !== QUOTE) {
		return malformed(
			line,
			"no referrer and user agent after the status (the common format), so that neither visitors nor programs can be told apart",
		);
	}
	const client = clientOf(text.slice(0, bracket));
	if (client === undefined)
		return malformed(line, "something else than an address, a user and a time at its beginning");
	const target = pageTarget(text, request, requestEnd);
	if (target === undefined || !isShown(status)) return { kind: "skipped", line, reason: "not_a_page" };
	return {
		kind: "hit",
		line,
		at,
		host: target.host ?? (client.host === undefined ? undefined : decoded(client.host)),
		target: target.path,
		referrer: plain(text.slice(referrer, referrerEnd)),
		userAgent: plain(text.slice(referrerEnd + 3, agentEnd)),
		visitor: isPublic(client.address) ? client.address : (forwardedFor(text, agentEnd + 1) ?? client.address),
	};
}

/** Servers behind a proxy may write the chain of addresses in quotes after the user agent. */
function forwardedFor(text: string, start: number): string | undefined {
	for (const [, quoted = ""] of text.slice(start).matchAll(/"([^"]*)"/g)) {
		const address = clientAddress(quoted);
		if (address !== undefined && isPublic(address)) return address;
	}
	return undefined;
}

/** A line that cannot be read, and what is missing in it. */
export const malformed = (line: number, problem: string): SkippedLine => ({
	kind: "skipped",
	line,
	reason: "malformed",
	problem,
});

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

/** Extensions of files that are no pages. */
const ASSETS: ReadonlySet<string> = new Set(
	[
		"css js mjs cjs map json jsonld xml txt rss atom ico png jpg jpeg gif svg webp avif bmp tif tiff cur heic",
		"woff woff2 ttf otf eot mp3 mp4 m4a m4v webm ogg oga ogv wav flac mov avi mkv m3u8 ts vtt srt",
		"pdf zip gz tgz bz2 xz 7z rar tar dmg pkg exe msi apk deb rpm iso bin wasm webmanifest manifest",
		"csv xls xlsx doc docx ppt pptx odt ods odp epub ics sql bak log env yml yaml ini swf appcache",
	].flatMap((line) => line.split(" ")),
);

/** True for the path of a page: neither a file of another kind nor what programs ask for. */
function isPagePath(target: string): boolean {
	const query = target.indexOf("?");
	const end = query < 0 ? target.length : query;
	const slash = target.lastIndexOf("/", end - 1);
	const dot = target.lastIndexOf(".", end - 1);
	if (target.startsWith("/.well-known/") || target.startsWith("/cdn-cgi/")) return false;
	return dot < slash || dot < 0 || !ASSETS.has(target.slice(dot + 1, end).toLowerCase());
}

export const isShown = (status: number): boolean => (status >= 200 && status < 300) || status === 304;

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const MINUTE = "21/Nov/2026:10:15".length;
const LENGTH = "21/Nov/2026:10:15:30 +0100".length;
const TIME = /^(.{17}):(\d\d)( .*)?/;

/** Reads times such as `21/Nov/2026:10:15:30 +0100`, by default of `timezone`. */
export function logTimes(timezone: string): (text: string, at: number) => number | undefined {
	const beginOf = remembered(1000, (text) => minuteOf(text, timezone));
	return (text, at) => {
		const [, minute, second, zone = ""] = TIME.exec(text.slice(at, at + LENGTH)) ?? [];
		if (minute === undefined || Number(second) > 60) return undefined;
		const begin = beginOf(minute + zone);
		return begin === undefined ? undefined : begin + Number(second) * 1000;
	};
}

const FORM = /^(\d\d).(.{3}).(\d{4}).(\d\d).(\d\d)(?: ([+-])(\d\d)(\d\d))?/;

/** The beginning of a minute; without an offset in the text that of `timezone`. */
function minuteOf(text: string, timezone: string): number | undefined {
	const [, day, name = "", year, hour, minute, sign, hours, minutes] = FORM.exec(text) ?? [];
	const month = months.indexOf(name) + 1;
	const hasOffset = text.length > MINUTE;
	if (month === 0 || (hasOffset && sign === undefined)) return undefined;
	const time = [Number(year), month, Number(day), Number(hour), Number(minute), 0] as const;
	const begin = wallTime(hasOffset ? "UTC" : timezone, time);
	const offset = sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
	return begin === undefined ? undefined : begin - offset;
}
