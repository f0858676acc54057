import { type IpAddress, type IpRange, parseIpRange } from "../lib/ip-address.ts";
import { indexIpRanges } from "../lib/ip-range-index.ts";

/**
 * Networks that are no public peer, by the IANA special-purpose registries (RFC 6890 and its successors). Forms of IPv6
 * that carry an IPv4 address are refused as a whole, as their destination depends on a gateway.
 */
const refused = [
	"0.0.0.0/8", // this network
	"10.0.0.0/8", // private
	"100.64.0.0/10", // carrier-grade NAT
	"127.0.0.0/8", // loopback
	"169.254.0.0/16", // link-local, cloud metadata
	"172.16.0.0/12", // private
	"192.0.0.0/24", // protocol assignments, 192.0.0.192 is a cloud's metadata
	"192.0.2.0/24", // documentation
	"192.31.196.0/24", // AS112
	"192.52.193.0/24", // AMT
	"192.88.99.0/24", // 6to4 relays
	"192.168.0.0/16", // private
	"192.175.48.0/24", // AS112
	"198.18.0.0/15", // benchmarks
	"198.51.100.0/24", // documentation
	"203.0.113.0/24", // documentation
	"168.63.129.16/32", // a cloud's wire server
	"224.0.0.0/4", // multicast
	"240.0.0.0/4", // reserved, broadcast
	"2001::/23", // protocol assignments, Teredo among them
	"2001:db8::/32", // documentation
	"2002::/16", // 6to4
	"2620:4f:8000::/48", // AS112
	"3fff::/20", // documentation
];

const range = (text: string): IpRange => {
	const parsed = parseIpRange(text);
	if (parsed === undefined) throw new Error(`${text} is no network`);
	return parsed;
};

const special = indexIpRanges(refused.map((text) => [range(text), true]));
// The only part of IPv6 that was given out for the public: mapped, NAT64, unique local and link-local ones lie outside.
const globalUnicast = indexIpRanges([[range("2000::/3"), true]]);

/** True when an address belongs to the public network; false for everything else, unknown kinds included. */
export function isPublicAddress(address: IpAddress): boolean {
	if (address.family === 6 && globalUnicast.find(address) === undefined) return false;
	return special.find(address) === undefined;
}
