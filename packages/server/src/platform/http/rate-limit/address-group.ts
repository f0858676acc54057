import { formatIpAddress, parseIpAddress } from "../../lib/ip-address.ts";

/**
 * Those who count as one: an IPv4 address, or the /64 network of an IPv6 address, as its owner has all 2^64 of them.
 * An IPv4 address written as IPv6 is the IPv4 address.
 */
export function addressGroup(ip: string): string {
	if (!ip.includes(":")) return ip;
	const address = parseIpAddress(ip);
	if (address === undefined) return ip;
	return address.family === 4 ? formatIpAddress(address) : `${(address.bits >> 64n).toString(16)}::`;
}
