import { unescape as decodePercent } from "node:querystring";
import { domainToASCII } from "node:url";
import { LruMap } from "../../platform/lib/lru-map.ts";
import { storedPath } from "./canonical-path.ts";
import { cleanLabel } from "./clean-text.ts";

/** RFC 1035 §2.3.4: no host name is longer. */
const MAX_HOST = 253;
/** Parameters read from one address; real ones carry a few dozen. */
const MAX_PARAMS = 200;

const HTTP_SCHEME = /^(?:https?:)?\/\//i;
const APP_SCHEME = /^android-app:\/\//i;
const HOST = /^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])$/;

/** A page's address, taken apart. */
export interface PageAddress {
	/** The whole text without its fragment. */
	readonly text: string;
	/** Lower-case, punycode, without port and without one leading `www.`. */
	readonly host: string;
	/** In its one form, without query and fragment and blanks at its ends; `/` if empty; at most 1,024 characters. */
	readonly path: string;
	/** As sent, without the question mark; `""` if there is none. */
	readonly query: string;
}

/**
 * Takes an http or https address apart; a scheme-relative one counts as https.
 * Undefined when it is anything else. The path is in its one form (`canonicalPath`); dots stay.
 */
export function parsePageAddress(address: string): PageAddress | undefined {
	return parseWithScheme(address, HTTP_SCHEME);
}

/** Like {@link parsePageAddress}; an Android app (`android-app://<package>`) also counts, its package being the host. */
export function parseReferrer(referrer: string | undefined): PageAddress | undefined {
	if (referrer === undefined || referrer === "") return undefined;
	return parseWithScheme(referrer, HTTP_SCHEME) ?? parseWithScheme(referrer, APP_SCHEME);
}

/** Scheme, host and port as a browser names them: `https://www.shop.example:8443`. */
export function originOf({ text, host }: PageAddress): string {
	return URL.parse(text.startsWith("//") ? `https:${text}` : text)?.origin ?? host;
}

/** Lower-case and without one leading `www.`: the form in which hosts are compared. */
export function plainHost(host: string): string {
	const lower = host.toLowerCase();
	return lower.startsWith("www.") ? lower.slice(4) : lower;
}

const noParams: ReadonlyMap<string, string> = new Map();

/** The parameters of a query, decoded and without control characters; of a repeated one the first value that is not empty. */
export function parseQuery(query: string): ReadonlyMap<string, string> {
	if (query === "") return noParams;
	const params = new Map<string, string>();
	for (const pair of query.split("&", MAX_PARAMS)) {
		const equals = pair.indexOf("=");
		if (equals < 1) continue;
		const value = decode(pair.slice(equals + 1)).trim();
		if (value === "") continue;
		const name = decode(pair.slice(0, equals));
		if (!params.has(name)) params.set(name, value);
	}
	return params;
}

/** The same text in memory of its own. */
export function copyText(text: string): string {
	return Buffer.from(text).toString();
}

function parseWithScheme(address: string, scheme: RegExp): PageAddress | undefined {
	const whole = address.trim();
	const start = scheme.exec(whole)?.[0].length;
	if (start === undefined) return undefined;
	const fragment = whole.indexOf("#", start);
	const text = fragment < 0 ? whole : whole.slice(0, fragment);
	const authorityEnd = endOfAuthority(text, start);
	const host = hostOf(text.slice(start, authorityEnd));
	if (host === undefined) return undefined;
	const question = text.indexOf("?", authorityEnd);
	const path = storedPath(
		cleanLabel(question < 0 ? text.slice(authorityEnd) : text.slice(authorityEnd, question)).trim(),
	);
	return {
		text,
		host,
		path: path === "" ? "/" : path,
		query: question < 0 ? "" : text.slice(question + 1),
	};
}

/** Browsers end the authority at a backslash too (WHATWG URL, authority state). */
function endOfAuthority(text: string, start: number): number {
	for (let at = start; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code === 0x2f || code === 0x3f || code === 0x5c) return at;
	}
	return text.length;
}

/** Hosts by how they were written; `""` for what is none. */
const hosts = new LruMap<string, string>(10_000);
const MAX_REMEMBERED = 100;

/** Most authorities repeat. The cache stores a copy, as a substring would keep the whole text in memory. */
function hostOf(authority: string): string | undefined {
	if (authority.length > MAX_REMEMBERED) return readHost(authority);
	let host = hosts.get(authority);
	if (host === undefined) {
		host = copyText(readHost(authority) ?? "");
		hosts.set(copyText(authority), host);
	}
	return host === "" ? undefined : host;
}

function readHost(authority: string): string | undefined {
	const afterUser = authority.slice(authority.lastIndexOf("@") + 1);
	const withoutPort = afterUser.replace(/:\d{0,5}$/, "");
	const host = plainHost(withoutPort.endsWith(".") ? withoutPort.slice(0, -1) : withoutPort);
	if (host.length > MAX_HOST) return undefined;
	if (HOST.test(host)) return host;
	const ascii = domainToASCII(host);
	return ascii.length <= MAX_HOST && HOST.test(ascii) ? plainHost(ascii) : undefined;
}

function decode(text: string): string {
	if (!text.includes("%") && !text.includes("+")) return text;
	return cleanLabel(decodePercent(text.replaceAll("+", " ")));
}
