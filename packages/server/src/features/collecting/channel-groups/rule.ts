import { type ChannelRule, defaultChannelRules } from "../../../analytics/attribution/default-channel-rules.ts";
import type { RuleRow } from "./store.ts";

/** Editable fields of a rule; null = no pattern, which matches everything. */
export interface RuleFields {
	readonly channel_name: string;
	readonly source_pattern: string | null;
	readonly medium_pattern: string | null;
	readonly campaign_pattern: string | null;
	readonly priority: number;
	readonly is_active: boolean;
}

/** The fields that hold patterns. */
export const patternFields = ["source_pattern", "medium_pattern", "campaign_pattern"] as const;

/** A rule as the API knows it: one of the site's own, or a default one. */
export interface Rule extends RuleFields {
	readonly id: number;
	/** Null on the default rules, which every site shares. */
	readonly siteId: string | null;
	readonly createdAt: number;
	readonly updatedAt: number;
}

/** When the default rules were last changed. */
const DEFAULTS_SINCE = Date.UTC(2026, 10, 1);

/** The default rules in their order. The id of one is its priority, which no two share; own rules count from 1001 on. */
export const defaultRules: readonly Rule[] = defaultChannelRules.map((rule) => ({
	id: rule.priority,
	siteId: null,
	channel_name: rule.channel,
	source_pattern: rule.source ?? null,
	medium_pattern: rule.medium ?? null,
	campaign_pattern: rule.campaign ?? null,
	priority: rule.priority,
	is_active: true,
	createdAt: DEFAULTS_SINCE,
	updatedAt: DEFAULTS_SINCE,
}));

/** The default rule with this id. */
export const defaultRule = (id: number): Rule | undefined => defaultRules.find((rule) => rule.id === id);

/** A stored rule as the API knows it. */
export function ownRule(row: RuleRow): Rule {
	const { id, site_id: siteId, is_active: isActive, created_at: createdAt, updated_at: updatedAt, ...fields } = row;
	return { ...fields, id, siteId, is_active: isActive === 1, createdAt, updatedAt };
}

/** A rule as the classification reads it. */
export function toChannelRule(rule: RuleFields): ChannelRule {
	const { source_pattern: source, medium_pattern: medium, campaign_pattern: campaign } = rule;
	return {
		channel: rule.channel_name,
		priority: rule.priority,
		...(source !== null && { source }),
		...(medium !== null && { medium }),
		...(campaign !== null && { campaign }),
	};
}
