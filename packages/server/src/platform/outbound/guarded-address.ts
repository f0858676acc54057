import { type LookupAddress, type LookupOptions, lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { parseIpAddress } from "../lib/ip-address.ts";
import { OutboundError } from "./outbound-error.ts";
import { isPublicAddress } from "./public-address.ts";

/** Finds all addresses of a name, as `dns.lookup` with `all`. */
export type ResolveName = (
	hostname: string,
	options: LookupOptions & { all: true },
	done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const isPublic = (text: string): boolean => {
	const address = parseIpAddress(text);
	return address !== undefined && isPublicAddress(address);
};

/** The host of a URL as an address, without the brackets of IPv6. */
const bareHost = (hostname: string): string => hostname.replace(/^\[|\]$/g, "");

/**
 * Error of an outbound address, before any name is resolved; undefined if it is valid. The URL parser has already
 * turned decimal, octal and hexadecimal IPv4 forms into dotted ones (WHATWG URL, 3.5).
 */
export function urlFault(
	text: string,
	{ allowPrivate, allowPlain = false }: { readonly allowPrivate: boolean; readonly allowPlain?: boolean },
): string | undefined {
	const url = URL.parse(text);
	if (url === null) return "must be a URL";
	const isPlain = allowPlain && url.protocol === "http:";
	if (url.protocol !== "https:" && !isPlain) return "must begin with https://";
	if (url.username !== "" || url.password !== "") return "must not contain a user name or password";
	const host = bareHost(url.hostname);
	if (!allowPrivate && parseIpAddress(host) !== undefined && !isPublic(host)) return "must lead to a public address";
	if (!allowPrivate && /(^|\.)(localhost|local|internal|localdomain|home\.arpa)\.?$/.test(host)) {
		return "must lead to a public address";
	}
	return undefined;
}

/**
 * A look-up for sockets that refuses a name as soon as one of its addresses is not public. The socket connects to an address
 * that is answered here, so a name that changes between a check and the connection gains nothing.
 */
export function guardedLookup(resolveName: ResolveName = systemLookup): LookupFunction {
	return (hostname, options, done) => {
		resolveName(hostname, { ...options, all: true }, (error, addresses) => {
			const [first] = addresses ?? [];
			if (error !== null || first === undefined) return done(error ?? new OutboundError("dns"), "", 0);
			if (!addresses.every(({ address }) => isPublic(address))) {
				return done(new OutboundError("blocked_address"), "", 0);
			}
			if (options.all === true) return done(null, addresses);
			return done(null, first.address, first.family);
		});
	};
}
