import { LruMap } from "../../platform/lib/lru-map.ts";
import { type ChannelRule, defaultChannelRules } from "./default-channel-rules.ts";
import { compilePattern, type TextTest } from "./search-pattern.ts";

/** Channel of a visit that no rule matches. */
const UNASSIGNED = "Unassigned";

/** Attributes that decide a channel. */
export interface ChannelTouch {
	readonly source: string;
	readonly medium: string;
	readonly campaign: string;
}

/** The rule that decided, and its channel; no rule when none matched. */
export interface ChannelMatch {
	readonly channel: string;
	readonly rule: ChannelRule | undefined;
}

/** A prepared list of rules: finds the first that matches a visit. */
export type ChannelRules = (touch: ChannelTouch) => ChannelMatch;

type RuleTest = (touch: ChannelTouch) => boolean;

const unassigned: ChannelMatch = { channel: UNASSIGNED, rule: undefined };
const CACHED_VISITS = 5000;

/** The default rules alone: for sites without rules of their own. */
const defaultRules: ChannelRules = compileChannelRules([]);

/**
 * Prepares a site's own live rules, given oldest first: falling priority decides, the older one on a tie; then come
 * the default rules. A rule with a pattern that does not compile never matches. Answers are remembered, up to 5,000.
 */
export function compileChannelRules(ownRules: readonly ChannelRule[]): ChannelRules {
	const own = ownRules.toSorted((a, b) => b.priority - a.priority);
	const tests = [
		...own.map((rule) => ({ rule, matches: ruleTest(rule, (pattern) => compilePattern(pattern) ?? (() => false)) })),
		...defaultChannelRules.map((rule) => ({ rule, matches: ruleTest(rule, nativePattern) })),
	];
	const cache = new LruMap<string, ChannelMatch>(CACHED_VISITS);
	// The default rules do not look at the campaign, of which there may be very many.
	const usesCampaign = own.some(({ campaign }) => campaign !== undefined && campaign !== "");
	return (touch) => {
		const key = `${touch.source}\n${touch.medium}\n${usesCampaign ? touch.campaign : ""}`;
		const known = cache.get(key);
		if (known !== undefined) return known;
		const rule = tests.find(({ matches }) => matches(touch))?.rule;
		const match = rule === undefined ? unassigned : { channel: rule.channel, rule };
		cache.set(key, match);
		return match;
	};
}

/** Name of a visit's channel. */
export function classifyChannel(touch: ChannelTouch, rules: ChannelRules = defaultRules): string {
	return rules(touch).channel;
}

function ruleTest(rule: ChannelRule, compile: (pattern: string) => TextTest): RuleTest {
	const source = fieldTest(rule.source, compile);
	const medium = fieldTest(rule.medium, compile);
	const campaign = fieldTest(rule.campaign, compile);
	return (touch) => medium(touch.medium) && source(touch.source) && campaign(touch.campaign);
}

function fieldTest(pattern: string | undefined, compile: (pattern: string) => TextTest): TextTest {
	return pattern === undefined || pattern === "" ? () => true : compile(pattern);
}

/** The bundled patterns are linear in any engine; the runtime's own is the fastest. */
function nativePattern(pattern: string): TextTest {
	const compiled = new RegExp(pattern, "i");
	return (text) => compiled.test(text);
}
