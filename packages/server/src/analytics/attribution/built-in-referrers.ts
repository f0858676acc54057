import { type DomainTable, findByDomain } from "./domain-table.ts";
import { plainHost } from "./page-address.ts";
import {
	assistantDomains,
	searchDomains,
	searchHostPatterns,
	shoppingDomains,
	socialDomains,
	videoDomains,
	webmailDomains,
} from "./referrer-lists.ts";

/** Entry of the built-in list for a referrer. */
export interface KnownReferrer {
	readonly utm_source: string;
	readonly utm_medium: "organic" | "social" | "ai" | "email" | "referral";
}

const mediums: readonly (readonly [Readonly<Record<string, string>>, KnownReferrer["utm_medium"]])[] = [
	[searchDomains, "organic"],
	[socialDomains, "social"],
	[assistantDomains, "ai"],
	[webmailDomains, "email"],
	[videoDomains, "referral"],
	[shoppingDomains, "referral"],
];

interface Entry extends KnownReferrer {
	readonly domain: string;
	/** True where other services have subdomains of their own, which are plain referrers. */
	readonly isExact: boolean;
}

/** First labels of hosts whose subdomains are the same service. */
const SERVICE_HOST = /^(?:search|suche|recherche|mail|email|webmail|poczta|messagerie|safelinks)\.[^.]+\./;
/** Forms of the same service, before a base domain. */
const SAME_SERVICE = /^(?:m|mobile|touch|wap|lite|search|www\d)$/;

const table: DomainTable<Entry> = new Map(
	mediums.flatMap(([names, medium]) =>
		Object.entries(names).flatMap(([name, domains]) =>
			domains.split(" ").map((domain) => {
				const isExact = (medium === "organic" || medium === "email") && !SERVICE_HOST.test(domain);
				return [domain, { utm_source: name, utm_medium: medium, domain, isExact }] as const;
			}),
		),
	),
);

const nameKey = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Of a name in two lists, the first counts. */
const byName: ReadonlyMap<string, KnownReferrer> = new Map(
	mediums
		.flatMap(([names, medium]) =>
			Object.keys(names).map((name) => [nameKey(name), { utm_source: name, utm_medium: medium }] as const),
		)
		.reverse(),
);

/** Entry of the built-in list for the name of a source, such as `DuckDuckGo` or `Hacker News`, or for its host. */
export const findSourceByName = (name: string): KnownReferrer | undefined =>
	byName.get(nameKey(name)) ?? (name.includes(".") ? findBuiltInReferrer(plainHost(name.trim())) : undefined);

/** Entry of the built-in list for a host (lower-case, without `www.`); undefined if it is not listed. */
export function findBuiltInReferrer(host: string): KnownReferrer | undefined {
	const known = findByDomain(table, host);
	if (known !== undefined) {
		const { domain, isExact } = known;
		const before = host.slice(0, -domain.length - 1);
		return !isExact || host === domain || SAME_SERVICE.test(before) ? known : undefined;
	}
	const engine = searchHostPatterns.find(({ pattern }) => pattern.test(host));
	return engine && { utm_source: engine.name, utm_medium: "organic" };
}
