import { formatIpAddress, parseIpAddress } from "../../lib/ip-address.ts";

/** Callers that count as one: an IPv4 address, or the /64 network of an IPv6 address, as its owner has all of it. */
export function addressGroup(ip: string): string {
	if (!ip.includes(":")) return ip;
	const address = parseIpAddress(ip);
	if (address === undefined) return ip;
	return address.family === 4 ? formatIpAddress(address) : `${(address.bits >> 64n).toString(16)}::`;
}
