import { type Answer, call } from "../../api/client.ts";
import { forEditing, read } from "../../api/read.ts";
import { useChange } from "../../ui/form/use-change.ts";
import { useRecords } from "../../ui/form/use-records.ts";
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
	read("GET /channel-groups", { query: { account_id: site, include_inactive: true } });

/** One rule as it is now, for changing it. */
export const ruleQuery = (site: string, id: number) => ({
	...read("GET /channel-groups/{rule_id}", { path: { rule_id: id }, query: { account_id: site } }),
	...forEditing,
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

/** Changes of single rules. */
export function useRules(site: string) {
	const query = { account_id: site };
	// A draft that somebody has activated meanwhile is another thing than the one on the screen.
	const at = ({ id, is_active }: Rule) => ({
		path: { rule_id: id },
		query: { ...query, only_if_inactive: !is_active },
	});
	return useRecords<Rule, RuleFields>({
		stale,
		create: (body) => call("POST /channel-groups", { query, body }),
		write: (rule, body) => call("PATCH /channel-groups/{rule_id}", { ...at(rule), body }),
		drop: (rule) => call("DELETE /channel-groups/{rule_id}", at(rule)),
		fieldsOf,
		added: ({ channel_name: name, is_active: isActive }) => (isActive ? t.addedLive(name) : t.addedDraft(name)),
		changed: ({ channel_name: name, is_active: isActive }, before) =>
			isActive === before.is_active ? t.changed(name) : isActive ? t.activated(name) : t.deactivated(name),
		removed: ({ channel_name: name }) => t.removed(name),
	});
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
