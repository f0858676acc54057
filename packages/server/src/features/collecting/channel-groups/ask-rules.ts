import type { Static } from "typebox";
import { compileChannelRules } from "../../../analytics/attribution/channel-rules.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { checkPatterns, defaultRule, ownRule, toChannelRule, toFields } from "./rule.ts";
import type { Rule, TestAnswer, TestBody } from "./schemas.ts";
import { listRules } from "./store.ts";

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
