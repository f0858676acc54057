import { withoutPort } from "../../../../../platform/http/forwarded-addresses.ts";
import { canonicalIp } from "../../../../../platform/lib/ip-address.ts";
import { remembered } from "../../remembered.ts";

/** The client of a line, and the requested host where the line has it. */
interface Client {
	readonly address: string;
	readonly host: string | undefined;
}

const PRIVATE =
	/^(?:10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.|^(?:f[cd]|fe[89ab]|::1$)/;
const HOST = /^(?:(?:[\w-]+\.)+[a-z][\w-]*|localhost|\d+(?:\.\d+){3}|\[[\da-f:.]+\])(?::\d+)?$/i;
/** Names of machines and files. */
const NO_HOST = /\.(?:log|internal|local|localdomain|lan)$/i;
/** `09:00:05` and `2026-09-14T09:00:05.7Z`. */
const TIME = /^\d[\dT:.+-]*\d:\d\d/;
/** Ends of a prefix that may precede an address without a blank: of a file's name, the number of a line, a quote. */
const GLUE = /[:|=\]"'(;\u00bf]/g;

/** An address in its one form, without a port; undefined for what is none. */
const addressOf = remembered(20_000, (word) => canonicalIp(withoutPort(word)));

/** The client of an address or a chain of proxies (`client, proxy, proxy`): the first one on the internet, or the first. */
export function clientAddress(text: string): string | undefined {
	if (!text.includes(",")) return addressOf(text.trim());
	const addresses = text.split(",").flatMap((part) => addressOf(part.replaceAll('"', "").trim()) ?? []);
	return addresses.find(isPublic) ?? addresses[0];
}

/** False for addresses of networks of one's own, such as those of proxies. */
export const isPublic = (address: string): boolean => !PRIVATE.test(address);

/** The client of the words before the time: `[host] address ident user`, after any prefix, also as a chain of proxies or a name. */
export function clientOf(head: string): Client | undefined {
	const space = head.indexOf(" ");
	if (head.startsWith(" - ", space)) {
		const address = addressOf(head.slice(0, space));
		if (address !== undefined) return { address, host: undefined };
	}
	const words = head.trim().split(/\s+/);
	// Two words at least follow the address: programs that collect logs name addresses of their own before it.
	const last = words.slice(0, -2).findLastIndex((word) => gluedAddress(word) !== undefined);
	if (last < 0) return namedClient(words);
	let first = last;
	while (
		isChained(words[first - 1]) ||
		(isChained(words[first - 2]) && gluedAddress(words[first - 1] ?? "") !== undefined)
	) {
		first--;
	}
	const address = clientAddress(
		words
			.slice(first, last + 1)
			.map(chainPart)
			.join(","),
	);
	const before = words[first - 1] ?? "";
	const forwarded = addressOf(before);
	if (address === undefined) return undefined;
	if (forwarded !== undefined && isPublic(forwarded) && !isPublic(address)) {
		return { address: forwarded, host: hostAt(words, first - 2) };
	}
	return { address, host: hostAt(words, first - 1) };
}

const isChained = (word: string | undefined): boolean => word?.endsWith(",") === true;

/** A word of a chain without what is glued to it. */
const chainPart = (word: string): string =>
	word
		.split(",")
		.map((part) => gluedAddress(part) ?? "")
		.filter((part) => part !== "")
		.join(",");

/** The address at the end of a word, or of a chain without blanks. */
function gluedAddress(word: string): string | undefined {
	const text = word.replace(/["',]+$/, "");
	if (text.includes(","))
		return text
			.split(",")
			.map(gluedAddress)
			.find((part) => part !== undefined);
	const whole = addressOf(text);
	if (whole !== undefined) return whole;
	for (const { index } of text.matchAll(GLUE)) {
		const address = addressOf(text.slice(index + 1));
		if (address !== undefined) return address;
	}
	return undefined;
}

/** The word is a host when it looks like one and does not follow a time, as the name of a machine does. */
function hostAt(words: readonly string[], index: number): string | undefined {
	const word = words[index];
	if (word === undefined || !HOST.test(word) || NO_HOST.test(word) || TIME.test(words[index - 1] ?? ""))
		return undefined;
	return word;
}

/** Servers may look up the names of their clients. */
function namedClient(words: readonly string[]): Client | undefined {
	const ident = words.indexOf("-", 1);
	const name = hostAt(words, ident - 1);
	return name === undefined || !/[a-z]/i.test(name) ? undefined : { address: name, host: hostAt(words, ident - 2) };
}
