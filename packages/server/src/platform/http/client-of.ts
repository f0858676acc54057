import type { IncomingMessage } from "node:http";
import proxyAddr from "@fastify/proxy-addr";
import { canonicalIp } from "../lib/ip-address.ts";

/** Says of an address whether it is a proxy of ours, the `hop`-th on the way back to the client. */
type Trust = (address: string, hop: number) => boolean;

/** The client of a request behind the proxies in front of the service. */
interface Client {
	readonly ip: string;
	readonly secure: boolean;
}

/** Prepares the proxies whose `X-Forwarded-*` headers count. */
export function compileTrust(trust: boolean | readonly string[]): Trust {
	return typeof trust === "boolean" ? () => trust : proxyAddr.compile([...trust]);
}

/** The client by the entries of trusted proxies; earlier entries of a header can be forged. */
export function clientOf(request: IncomingMessage, trusts: Trust): Client {
	const addresses = proxyAddr.all(request, trusts);
	const address = addresses.at(-1) ?? "";
	// Of a socket that takes both families an IPv4 address comes as IPv6.
	const ip = canonicalIp(address) ?? address;
	if ("encrypted" in request.socket) return { ip, secure: true };
	const proto = request.headers["x-forwarded-proto"];
	if (typeof proto !== "string") return { ip, secure: false };
	const proxies = addresses.length > 1 ? addresses.length - 1 : Number(trusts(ip, 0));
	return { ip, secure: proxies > 0 && schemeAt(proto, proxies) === "https" };
}

/** Each proxy adds the scheme that it was spoken to at the end; one that replaces the header leaves a single entry. */
function schemeAt(proto: string, proxies: number): string {
	if (!proto.includes(",")) return proto;
	const entries = proto.split(",");
	return entries[Math.max(0, entries.length - proxies)]?.trim() ?? "";
}
