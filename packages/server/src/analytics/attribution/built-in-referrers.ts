import { type DomainTable, findByDomain } from "./domain-table.ts";
import {
	assistantDomains,
	searchDomains,
	searchHostPatterns,
	shoppingDomains,
	socialDomains,
	videoDomains,
	webmailDomains,
} from "./referrer-lists.ts";

/** What the built-in list knows of a referrer. */
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

const table: DomainTable<KnownReferrer> = new Map(
	mediums.flatMap(([names, medium]) =>
		Object.entries(names).flatMap(([name, domains]) =>
			domains.split(" ").map((domain) => [domain, { utm_source: name, utm_medium: medium }] as const),
		),
	),
);

/** What the built-in list says of a host (lower-case, without `www.`); undefined when it is not on it. */
export function findBuiltInReferrer(host: string): KnownReferrer | undefined {
	const known = findByDomain(table, host);
	if (known !== undefined) return known;
	const engine = searchHostPatterns.find(({ pattern }) => pattern.test(host));
	return engine && { utm_source: engine.name, utm_medium: "organic" };
}
