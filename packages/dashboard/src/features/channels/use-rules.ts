import { queryOptions } from "@tanstack/react-query";
import { type Answer, call } from "../../api/client.ts";
import { useChange } from "../../ui/form/use-change.ts";
import { prioritiesFor } from "./priorities.ts";
import { t } from "./texts.ts";

/** A rule that makes a channel of a source: one of the site's own, or a built-in one. */
export type Rule = Answer<"GET /channel-groups">["rules"][number];
/** Editable fields of a rule. */
export type RuleFields = Pick<
	Rule,
	"channel_name" | "source_pattern" | "medium_pattern" | "campaign_pattern" | "priority" | "is_active"
>;

/** All rules of a site in the order in which they are asked: its own, drafts among them, then the built-in ones. */
export const rulesQuery = (site: string) =>
	queryOptions({
		queryKey: ["GET /channel-groups", site],
		queryFn: ({ signal }) =>
			call("GET /channel-groups", { query: { account_id: site, include_inactive: true }, signal }),
	});

/** One rule as it is now, for changing it. */
export const ruleQuery = (site: string, id: number) =>
	queryOptions({
		queryKey: ["GET /channel-groups/{rule_id}", site, id],
		queryFn: ({ signal }) =>
			call("GET /channel-groups/{rule_id}", { path: { rule_id: id }, query: { account_id: site }, signal }),
		// An edited record must be current and must not change while it is edited.
		staleTime: 0,
		gcTime: 0,
		refetchOnWindowFocus: false,
	});

/** Queries whose answers depend on the rules of a site. */
const stale = ["GET /channel-groups", "POST /channel-groups/test"];

const fieldsOf = (rule: Rule): RuleFields => ({
	channel_name: rule.channel_name,
	source_pattern: rule.source_pattern,
	medium_pattern: rule.medium_pattern,
	campaign_pattern: rule.campaign_pattern,
	priority: rule.priority,
	is_active: rule.is_active,
});

/** Changes of single rules, each of which can be taken back. */
export function useRules(site: string) {
	const query = { account_id: site };
	const create = (body: RuleFields) => call("POST /channel-groups", { query, body });
	// A draft that somebody has activated meanwhile is another thing than the one on the screen.
	const drop = ({ id, is_active }: Rule) =>
		call("DELETE /channel-groups/{rule_id}", {
			path: { rule_id: id },
			query: { ...query, only_if_inactive: !is_active },
		});
	const write = ({ id, is_active }: Rule, body: Partial<RuleFields>) =>
		call("PATCH /channel-groups/{rule_id}", {
			path: { rule_id: id },
			query: { ...query, only_if_inactive: !is_active },
			body,
		});
	return {
		add: useChange({
			run: create,
			stale,
			done: ({ channel_name: name, is_active: isActive }) => (isActive ? t.addedLive(name) : t.addedDraft(name)),
			undo: drop,
		}),
		change: useChange({
			run: ({ rule, to }: { readonly rule: Rule; readonly to: Partial<RuleFields> }) => write(rule, to),
			stale,
			done: (after, { rule }) =>
				after.is_active === rule.is_active
					? t.changed(after.channel_name)
					: after.is_active
						? t.activated(after.channel_name)
						: t.deactivated(after.channel_name),
			undo: (after, { rule }) => write(after, fieldsOf(rule)),
		}),
		remove: useChange({
			run: drop,
			stale,
			done: (_, { channel_name: name }) => t.removed(name),
			undo: (_, rule) => create(fieldsOf(rule)),
		}),
	};
}

interface Move {
	/** The own rules in their new order. */
	readonly order: readonly Rule[];
	readonly rule: Rule;
}

/** Puts a rule into another place. */
export function useMoveRule(site: string) {
	const write = (id: number, priority: number) =>
		call("PATCH /channel-groups/{rule_id}", {
			path: { rule_id: id },
			query: { account_id: site },
			body: { priority },
		});
	return useChange({
		run: async ({ order, rule }: Move) => {
			// One after the other: a fault leaves an order, not a mixture.
			for (const { id, priority } of prioritiesFor(order, rule.id)) await write(id, priority);
		},
		stale,
		done: (_, { order, rule }) => t.moved(rule.channel_name, order.indexOf(rule) + 1, order.length),
		undo: async (_, { order, rule }) => {
			for (const { id } of prioritiesFor(order, rule.id)) {
				await write(id, order.find((one) => one.id === id)?.priority ?? rule.priority);
			}
		},
	});
}
