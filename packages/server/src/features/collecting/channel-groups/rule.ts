import type { Static } from "typebox";
import type { Row } from "../../../../migrations/metadata/tables/index.ts";
import { compileChannelRules, defaultChannelRules } from "../../../analytics/attribution/channel-rules.ts";
import { compilePattern } from "../../../analytics/attribution/search-pattern.ts";
import { type FieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { toChannelRule } from "../attribution-settings/index.ts";
import type { ChangeRuleBody, CreateRuleBody, Rule, TestAnswer, TestBody } from "./schemas.ts";
import { listRules } from "./store.ts";

const patternFields = ["source_pattern", "medium_pattern", "campaign_pattern"] as const;

const fieldNames = ["channel_name", ...patternFields, "priority", "is_active"] as const;

/** Editable fields of a rule; null = no pattern, which matches everything. */
export type RuleFields = Pick<Rule, (typeof fieldNames)[number]>;

export const editableFields = (rule: RuleFields): RuleFields =>
	Object.fromEntries(fieldNames.map((name) => [name, rule[name]])) as RuleFields;

const DEFAULTS_SINCE = timestamp(Date.UTC(2026, 10, 1));

/** The default rules in their order. The id of one is its priority, which no two share; own rules count from 1001 on. */
export const defaultRules: readonly Rule[] = defaultChannelRules.map((rule) => ({
	id: rule.priority,
	account_id: null,
	channel_name: rule.channel,
	source_pattern: rule.source ?? null,
	medium_pattern: rule.medium ?? null,
	campaign_pattern: rule.campaign ?? null,
	priority: rule.priority,
	is_active: true,
	is_default: true,
	created_at: DEFAULTS_SINCE,
	updated_at: DEFAULTS_SINCE,
}));

export const defaultRule = (id: number): Rule | undefined => defaultRules.find((rule) => rule.id === id);

export const ownRule = ({ site_id, is_active, created_at, updated_at, ...fields }: Row<"channel_rules">): Rule => ({
	...fields,
	account_id: site_id,
	is_active: is_active === 1,
	is_default: false,
	created_at: timestamp(created_at),
	updated_at: timestamp(updated_at),
});

/** Error in the patterns of a rule; `at` is the path of its fields in the request. */
export function patternFault(
	rule: Pick<RuleFields, (typeof patternFields)[number]>,
	at: string,
): FieldError | undefined {
	for (const field of patternFields) {
		const pattern = rule[field];
		if (pattern !== null && compilePattern(pattern) === undefined) {
			return { field: `${at}.${field}`, message: "Not a valid RE2 expression, or too large a one", type: "regex" };
		}
	}
	if (patternFields.every((field) => rule[field] === null)) {
		return { field: `${at}.source_pattern`, message: "At least one pattern must not be empty", type: "missing" };
	}
	return undefined;
}

export function checkPatterns(rule: RuleFields, at: string): void {
	const fault = patternFault(rule, at);
	if (fault !== undefined) throw new ServiceError("validation_error", { detail: [fault] });
}

/** A new rule, complete; an empty pattern is none. */
export const toFields = (body: Static<typeof CreateRuleBody>): RuleFields => ({
	channel_name: body.channel_name,
	source_pattern: body.source_pattern || null,
	medium_pattern: body.medium_pattern || null,
	campaign_pattern: body.campaign_pattern || null,
	priority: body.priority,
	is_active: body.is_active,
});

/** The fields of a change that are given; an empty pattern is none. */
export const toChanges = (body: Static<typeof ChangeRuleBody>): Partial<RuleFields> =>
	Object.fromEntries(
		fieldNames.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name] === "" ? null : body[name]]])),
	);

/** Says which channel a visit would get, and which rule decides; null = none matches. 422 for the patterns of a tried rule. */
export async function askRules(
	{ metadata, clock }: { readonly metadata: Metadata; readonly clock: Clock },
	siteId: string,
	{ source, medium, campaign, include_inactive: includeInactive, rule: tried, visits }: Static<typeof TestBody>,
): Promise<Static<typeof TestAnswer>> {
	const stored = (await listRules(metadata, siteId, { includeInactive })).map(ownRule);
	const own = tried === undefined ? stored : withTried(stored, triedRule(clock, siteId, tried));
	const asked = own.map((rule) => ({ rule, asked: toChannelRule(rule) }));
	const rules = compileChannelRules(asked.map((one) => one.asked));
	const match = rules({ source, medium, campaign });
	const decided = asked.find((one) => one.asked === match.rule)?.rule;
	return {
		channel: match.channel,
		matched_rule: decided ?? (match.rule && defaultRule(match.rule.priority)) ?? null,
		...(visits !== undefined && { channels: visits.map((visit) => rules(visit).channel) }),
	};
}

/** A rule as it would be if it were saved and live; with an id it stands for the one that has it. */
function triedRule(clock: Clock, siteId: string, tried: NonNullable<Static<typeof TestBody>["rule"]>): Rule {
	const fields = toFields({ ...tried, is_active: true });
	checkPatterns(fields, "body.rule");
	const now = timestamp(clock.now());
	return { ...fields, id: tried.id, account_id: siteId, is_default: false, created_at: now, updated_at: now };
}

/** On a tie the older rule comes first: a new one stands behind the others, a stored one keeps its place. */
function withTried(stored: readonly Rule[], tried: Rule): readonly Rule[] {
	const older = stored.filter(({ id }) => id < tried.id || tried.id === 0);
	const younger = stored.filter(({ id }) => id > tried.id && tried.id !== 0);
	return [...older, tried, ...younger];
}
