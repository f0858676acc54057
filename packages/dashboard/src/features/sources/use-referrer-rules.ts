import { queryOptions } from "@tanstack/react-query";
import { type Answer, call } from "../../api/client.ts";
import { atField } from "../../lib/failure.ts";
import { useChange } from "../../ui/form/use-change.ts";
import { t } from "./texts.ts";

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
>;

/** All rules on referrers of a site, paused ones too. */
export const referrerRulesQuery = (site: string) =>
	queryOptions({
		queryKey: ["GET /referrer-mappings", site],
		queryFn: ({ signal }) =>
			call("GET /referrer-mappings", { query: { account_id: site, include_inactive: true }, signal }),
	});

/** One of them as it is now, for changing it. */
export const referrerRuleQuery = (site: string, id: number) =>
	queryOptions({
		queryKey: ["GET /referrer-mappings/{mapping_id}", site, id],
		queryFn: ({ signal }) =>
			call("GET /referrer-mappings/{mapping_id}", { path: { mapping_id: id }, query: { account_id: site }, signal }),
		// An edited record must be current and must not change while it is edited.
		staleTime: 0,
		gcTime: 0,
		refetchOnWindowFocus: false,
	});

const taken = atField({ duplicate_entry: ["referrer_pattern", t.referrers.taken] });

/** Changes of the list, each of which can be taken back. */
export function useReferrerRules(site: string) {
	const query = { account_id: site };
	const stale = ["GET /referrer-mappings"];
	const create = (body: Fields & { readonly is_active?: boolean }) =>
		call("POST /referrer-mappings", { query, body }).catch(taken);
	const drop = ({ id }: ReferrerRule) =>
		call("DELETE /referrer-mappings/{mapping_id}", { path: { mapping_id: id }, query });
	const write = ({ id }: ReferrerRule, body: Partial<Fields> & { readonly is_active?: boolean }) =>
		call("PATCH /referrer-mappings/{mapping_id}", { path: { mapping_id: id }, query, body }).catch(taken);
	return {
		add: useChange({ run: create, stale, done: ({ referrer_pattern: name }) => t.referrers.added(name), undo: drop }),
		change: useChange({
			run: ({ row, to }: { readonly row: ReferrerRule; readonly to: Parameters<typeof write>[1] }) => write(row, to),
			stale,
			done: ({ referrer_pattern: name }) => t.referrers.changed(name),
			undo: (_, { row }) => write(row, row),
		}),
		remove: useChange({
			run: drop,
			stale,
			done: (_, { referrer_pattern: name }) => t.referrers.removed(name),
			undo: (_, row) => create(row),
		}),
	};
}
