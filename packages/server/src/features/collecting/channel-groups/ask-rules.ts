import { type ChannelTouch, compileChannelRules } from "../../../analytics/attribution/channel-rules.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { defaultRule, ownRule, type Rule, toChannelRule } from "./rule.ts";
import { listRules } from "./store.ts";

/** Says which channel a visit would get, and which rule decides; null = none matches. */
export async function askRules(
	deps: { readonly metadata: Metadata },
	siteId: string,
	{ includeInactive, ...touch }: ChannelTouch & { readonly includeInactive: boolean },
): Promise<{ readonly channel: string; readonly rule: Rule | null }> {
	const own = (await listRules(deps.metadata, siteId, { includeInactive })).map(ownRule);
	const asked = own.map((rule) => ({ rule, asked: toChannelRule(rule) }));
	const match = compileChannelRules(asked.map((one) => one.asked))(touch);
	if (match.rule === undefined) return { channel: match.channel, rule: null };
	const decided = asked.find((one) => one.asked === match.rule)?.rule ?? defaultRule(match.rule.priority);
	return { channel: match.channel, rule: decided ?? null };
}
