import { type Answer, call } from "../../api/client.ts";
import { forEditing, read } from "../../api/read.ts";
import { atField } from "../../lib/failure.ts";
import { useRecords } from "../../ui/form/use-records.ts";
import { t } from "./texts.ts";

type Values = Readonly<Record<"utm_source" | "utm_medium" | "utm_campaign" | "utm_term", string>> & {
	readonly utm_content?: string;
};

/** The campaign values of a rule in their order, those that it has. */
export const valuesOf = ({ utm_source, utm_medium, utm_campaign, utm_term, utm_content = "" }: Values): string =>
	[utm_source, utm_medium, utm_campaign, utm_term, utm_content].filter((value) => value !== "").join(" / ");

/** Facts of a rule, joined. */
export const said = (...facts: readonly (string | null)[]): string => facts.filter(Boolean).join(" · ");

/** A rule that names the source of visits from elsewhere. */
export type ReferrerRule = Answer<"GET /referrer-mappings">["mappings"][number];
type Fields = Pick<
	ReferrerRule,
	| "referrer_pattern"
	| "match_type"
	| "utm_source"
	| "utm_medium"
	| "utm_campaign"
	| "utm_term"
	| "utm_content"
	| "label"
	| "description"
	| "priority"
> & { readonly is_active?: boolean };

/** All rules on referrers of a site, paused ones too. */
export const referrerRulesQuery = (site: string) =>
	read("GET /referrer-mappings", { query: { account_id: site, include_inactive: true } });

/** One of them as it is now, for changing it. */
export const referrerRuleQuery = (site: string, id: number) => ({
	...read("GET /referrer-mappings/{mapping_id}", { path: { mapping_id: id }, query: { account_id: site } }),
	...forEditing,
});

const taken = atField({ duplicate_entry: ["referrer_pattern", t.referrers.taken] });

/** Changes of the list. */
export function useReferrerRules(site: string) {
	const query = { account_id: site };
	return useRecords<ReferrerRule, Fields>({
		stale: ["GET /referrer-mappings"],
		create: (body) => call("POST /referrer-mappings", { query, body }).catch(taken),
		write: ({ id }, body) =>
			call("PATCH /referrer-mappings/{mapping_id}", { path: { mapping_id: id }, query, body }).catch(taken),
		drop: ({ id }) => call("DELETE /referrer-mappings/{mapping_id}", { path: { mapping_id: id }, query }),
		fieldsOf: (row) => row,
		added: ({ referrer_pattern: name }) => t.referrers.added(name),
		changed: ({ referrer_pattern: name }) => t.referrers.changed(name),
		removed: ({ referrer_pattern: name }) => t.referrers.removed(name),
	});
}
