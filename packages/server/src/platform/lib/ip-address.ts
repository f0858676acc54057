import { isIP } from "node:net";

/** An address of either family. An IPv4 address written as IPv6 (`::ffff:192.0.2.1`) is the IPv4 address. */
export interface IpAddress {
	readonly family: 4 | 6;
	readonly bits: bigint;
}

/** A network, or one address when `prefix` is the family's length. The bits beyond the prefix are 0. */
export interface IpRange extends IpAddress {
	readonly prefix: number;
}

const lengthOf = { 4: 32, 6: 128 } as const;
const MAPPED_PREFIX = 96;
const mappedNetwork = 0xffffn;

/** Reads an address; undefined for anything else. The zone of a link-local address (`%eth0`) is left out. */
export function parseIpAddress(text: string): IpAddress | undefined {
	const family = isIP(text);
	if (family === 4) return { family: 4, bits: ipv4Bits(text) };
	if (family !== 6) return undefined;
	const bits = ipv6Bits(text);
	return bits >> 32n === mappedNetwork ? { family: 4, bits: bits & 0xffff_ffffn } : { family: 6, bits };
}

/** Reads `address/prefix` and clears the bits beyond the prefix; undefined for anything else. */
export function parseIpRange(text: string): IpRange | undefined {
	const match = /^([^/]+)\/(0|[1-9][0-9]{0,2})$/.exec(text);
	const address = parseIpAddress(match?.[1] ?? "");
	if (match === null || address === undefined) return undefined;
	const isMapped = address.family === 4 && text.includes(":");
	const prefix = Number(match[2]) - (isMapped ? MAPPED_PREFIX : 0);
	if (prefix < 0 || prefix > lengthOf[address.family]) return undefined;
	const shift = BigInt(lengthOf[address.family] - prefix);
	return { family: address.family, bits: (address.bits >> shift) << shift, prefix };
}

/** Reads an address or a range. */
export function parseIpOrRange(text: string): IpRange | undefined {
	const address = parseIpAddress(text);
	return address === undefined ? parseIpRange(text) : singleAddress(address);
}

/** The range that holds this address alone. */
const singleAddress = (address: IpAddress): IpRange => ({ ...address, prefix: lengthOf[address.family] });

/** The one way to write an address: dotted for IPv4, RFC 5952 for IPv6. */
export function formatIpAddress({ family, bits }: IpAddress): string {
	if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join(".");
	const groups = Array.from({ length: 8 }, (_, index) => (bits >> BigInt(112 - 16 * index)) & 0xffffn);
	const hex = groups.map((group) => group.toString(16)).join(":");
	const zeros = (hex.match(/\b0(?::0)+\b/g) ?? []).reduce((best, run) => (run.length > best.length ? run : best), "");
	return zeros === "" ? hex : hex.replace(new RegExp(`(?:^|:)\\b${zeros}\\b(?::|$)`), "::");
}

/** The one way to write a range: always with its prefix. */
export const formatIpRange = (range: IpRange): string => `${formatIpAddress(range)}/${range.prefix}`;

/** The one way to write a range that may be an address: without its prefix when it is one. */
export const formatIpOrRange = (range: IpRange): string =>
	range.prefix === lengthOf[range.family] ? formatIpAddress(range) : formatIpRange(range);

/** The address as it is always written; undefined for what is none. */
export function canonicalIp(text: string): string | undefined {
	// The dotted form has no other spelling that is accepted.
	if (isIP(text) === 4) return text;
	const address = parseIpAddress(text);
	return address && formatIpAddress(address);
}

const ipv4Bits = (text: string): bigint => BigInt(text.split(".").reduce((sum, part) => sum * 256 + Number(part), 0));

/** `text` must be an IPv6 address. */
function ipv6Bits(text: string): bigint {
	const [address = ""] = text.split("%", 1);
	const [head = "", tail] = address.split("::");
	const first = groupsOf(head);
	const last = tail === undefined ? [] : groupsOf(tail);
	const gap = Array.from({ length: 8 - first.length - last.length }, () => 0n);
	return [...first, ...gap, ...last].reduce((sum, group) => (sum << 16n) | group, 0n);
}

const groupsOf = (part: string): bigint[] =>
	part === ""
		? []
		: part.split(":").flatMap((group) => {
				if (!group.includes(".")) return [BigInt(`0x${group}`)];
				const bits = ipv4Bits(group);
				return [bits >> 16n, bits & 0xffffn];
			});
