import type { IncomingHttpHeaders } from "node:http";
import { canonicalIp } from "../lib/ip-address.ts";

const NAME = "x-forwarded-for";

/**
 * Cuts from `X-Forwarded-For` what is no address, and what stands before it: a proxy that passes on what it was sent would
 * make any text the client's address, with a limit of its own each. What proxies added behind it stays, without ports, each
 * address in its one form: what counts by address must not take two spellings for two clients.
 */
export function dropFalseAddresses(headers: IncomingHttpHeaders): void {
	const given = headers[NAME];
	if (given === undefined) return;
	const entries = [given]
		.flat()
		.join(",")
		.split(",")
		.map((entry) => canonicalIp(withoutPort(entry)));
	const last = entries.lastIndexOf(undefined);
	const kept = entries.slice(last + 1).join(",");
	if (kept === "") delete headers[NAME];
	else headers[NAME] = kept;
}

/** Some proxies tell the port too: `203.0.113.7:4711`, `[2001:db8::1]:4711`. */
export function withoutPort(entry: string): string {
	const text = entry.trim();
	return /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}
