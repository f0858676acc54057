import { type LookupAddress, type LookupOptions, lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import type { Agent } from "undici";
import type { Clock } from "../lib/clock.ts";
import { type IpAddress, type IpRange, parseIpAddress, parseIpRange } from "../lib/ip-address.ts";
import { indexIpRanges } from "../lib/ip-range-index.ts";
import { once } from "../lib/once.ts";
import { OutboundError, outboundError } from "./outbound-error.ts";

type ResolveName = (
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

/** Fault of an outbound address, before its name is resolved. The URL parser has turned other IPv4 forms into dotted ones (WHATWG URL, 3.5). */
function urlFault(
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

/** Refuses a name with an address that is not public. The socket connects to the address answered here, so a later change of the name gains nothing. */
function guardedLookup(resolveName: ResolveName = systemLookup): LookupFunction {
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

/** A request to a server that a user named. */
export interface OutboundRequest {
	readonly url: string;
	readonly method?: "GET" | "POST";
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string;
	readonly timeoutMs: number;
	/** Bytes of the answer's body that are read; beyond them `too_large`, or the rest is dropped. */
	readonly maxBytes: number;
	readonly excess?: "refuse" | "cut";
	readonly signal?: AbortSignal | undefined;
}

/** The answer of the other server. Redirects are answers like any other: they are not followed. */
export interface OutboundAnswer {
	readonly status: number;
	/** By names in small letters; of a header sent several times, the values joined by `, `. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

/** Sends requests to addresses that users name. */
export interface GuardedFetch {
	/** Error of a URL by its form alone, for the user; undefined if it is valid. */
	urlFault(url: string): string | undefined;
	/** Throws `OutboundError` when there is no answer. */
	send(request: OutboundRequest): Promise<OutboundAnswer>;
	close(): Promise<void>;
}

/** Options of the guarded fetch. */
export interface GuardedFetchOptions {
	readonly clock: Clock;
	/** Lets requests go to private addresses, for development. */
	readonly allowPrivate: boolean;
	/** Lets requests go without TLS, where the address is the operator's own. */
	readonly allowPlain?: boolean;
	readonly resolveName?: ResolveName;
	/** Certificates (PEM) that are trusted beside the usual ones. */
	readonly extraCertificates?: readonly string[];
}

const CONNECT_MS = 10_000;
const MAX_HEADER_BYTES = 16_384;
/** A connection serves a burst of requests. Its address was checked, so that a later change of the name does not matter. Servers end idle ones later. */
const IDLE_MS = 1000;
/** After that a name is looked up again, and its address checked. */
const CONNECTION_LIVES_MS = 10_000;

/** The one way to addresses that users name: HTTPS to public addresses, without redirects and proxies, bounded in time and size. */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
	let agent: Agent | undefined;
	let isClosed = false;
	// Loaded with the first request: many a service never sends one.
	const network = once(async () => {
		const undici = await import("undici");
		agent = new undici.Agent(agentOptions(options));
		if (isClosed) await agent.destroy();
		return { request: undici.request, dispatcher: agent };
	});
	return {
		urlFault: (url) => urlFault(url, options),
		async send(outbound) {
			// Sockets to an address never ask the look-up, so those are judged here.
			if (urlFault(outbound.url, options) !== undefined) throw new OutboundError("blocked_address");
			const signal = options.clock.deadline(outbound.timeoutMs, outbound.signal);
			try {
				const { request, dispatcher } = await network();
				const { statusCode, headers, body } = await request(outbound.url, {
					dispatcher,
					method: outbound.method ?? "GET",
					headers: { ...outbound.headers },
					body: outbound.body ?? null,
					signal,
				});
				return { status: statusCode, headers: joined(headers), body: await readBody(body, outbound) };
			} catch (error) {
				throw outbound.signal?.aborted === true ? error : outboundError(error);
			}
		},
		close: async () => {
			isClosed = true;
			await agent?.destroy();
		},
	};
}

const agentOptions = ({ allowPrivate, resolveName, extraCertificates }: GuardedFetchOptions): Agent.Options => ({
	connect: {
		timeout: CONNECT_MS,
		...(allowPrivate ? {} : { lookup: guardedLookup(resolveName) }),
		...(extraCertificates === undefined ? {} : { ca: [...extraCertificates] }),
	},
	maxHeaderSize: MAX_HEADER_BYTES,
	// One request at a time on each, so that an answer that does not come holds up no other.
	pipelining: 1,
	allowH2: false,
	keepAliveTimeout: IDLE_MS,
	keepAliveMaxTimeout: IDLE_MS,
	clientTtl: CONNECTION_LIVES_MS,
});

const joined = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
	Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(", ")]));

async function readBody(body: AsyncIterable<Buffer>, { maxBytes, excess = "refuse" }: OutboundRequest) {
	const chunks: Buffer[] = [];
	let size = 0;
	// Leaving the loop early destroys the body, and with it the connection.
	for await (const chunk of body) {
		chunks.push(chunk);
		size += chunk.length;
		if (size <= maxBytes) continue;
		if (excess === "refuse") throw new OutboundError("too_large");
		break;
	}
	return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxBytes));
}

/** Networks without public peers (RFC 6890 and successors), and all IPv6 forms that carry an IPv4 address, as a gateway decides on their destination. */
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
