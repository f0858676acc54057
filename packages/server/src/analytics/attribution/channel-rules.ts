import { LruMap } from "../../platform/lib/lru-map.ts";
import {
	type NamedDomains,
	searchDomains,
	searchHostPatterns,
	shoppingDomains,
	socialDomains,
	videoDomains,
} from "./referrer-lists.ts";
import { compilePattern, type TextTest } from "./search-pattern.ts";

/** A channel rule as data; an absent pattern matches everything. */
export interface ChannelRule {
	readonly channel: string;
	readonly priority: number;
	readonly source?: string;
	readonly medium?: string;
	readonly campaign?: string;
}

/** Matches exactly the names of a built-in list, and the first domain of each. */
function namesOf(list: NamedDomains, ...more: readonly string[]): string {
	const names = Object.entries(list).flatMap(([name, domains]) => [name, domains.split(" ", 1)[0] ?? name]);
	return `^(${[...new Set([...names, ...more])].join("|").replaceAll(".", "\\.")})$`;
}

const SEARCH_WORDS =
	"(^|\\.)(google|bing|duckduckgo|yahoo|yandex|baidu|ecosia|qwant|startpage|brave|naver|seznam|sogou|kagi|mojeek|aol|ask)(\\.|$)";
const SOCIAL_WORDS =
	"(^|\\.)(facebook|fb|instagram|threads|linkedin|lnkd|twitter|tiktok|pinterest|reddit|snapchat|tumblr|vk|bsky|mastodon|whatsapp|telegram|quora|discord|weibo|xing)(\\.|$)|^(x|ig|t\\.co|x\\.com|t\\.me|wa\\.me)$";
const VIDEO_WORDS = "(^|\\.)(youtube|youtu\\.be|vimeo|twitch|dailymotion|rumble|bilibili)(\\.|$)";
const SHOP =
	"(^|\\.)(idealo|kelkoo|pricerunner|shopzilla|bizrate|ceneo|heureka|skroutz|shopping)(\\.|$)|google[ _-]?shopping";
const SEARCH = `${SEARCH_WORDS}|${namesOf(searchDomains, ...searchHostPatterns.map(({ name }) => name))}`;
const SOCIAL = `${SOCIAL_WORDS}|${namesOf(socialDomains)}`;
const VIDEO = `${VIDEO_WORDS}|${namesOf(videoDomains)}`;
const AI = "(^|\\.)(chatgpt|openai|gemini|claude|perplexity|copilot|deepseek|grok|mistral|poe|phind)(\\.|$)";
const MAIL = "(^|[._-])(newsletter|mailchimp|sendgrid|klaviyo|brevo|mailerlite|mailgun|gmail|webmail)([._-]|$)";
const AUDIO = "(^|\\.)(spotify|podcasts?|soundcloud|audible|deezer)(\\.|$)";

/** The rules every site starts from, by falling priority. Sources and mediums are matched without regard to case. */
export const defaultChannelRules: readonly ChannelRule[] = [
	{ priority: 950, channel: "Paid Search", source: SEARCH, medium: "^(cpc|ppc|sem|paid|paid[ _-]?search)$" },
	{
		priority: 900,
		channel: "Paid Social",
		source: SOCIAL,
		medium: "^(cpc|ppc|cpm|paid|paid[ _-]?social|social[ _-]?(paid|ads?))$",
	},
	{ priority: 895, channel: "Paid Social", medium: "^paid[ _-]?social$" },
	{ priority: 850, channel: "Paid Video", source: VIDEO, medium: "^(cpc|ppc|cpv|cpm|paid|video|paid[ _-]?video)$" },
	{ priority: 800, channel: "Display", medium: "^(display|banner|cpm|interstitial|rich[ _-]?media|programmatic)$" },
	{ priority: 750, channel: "Paid Shopping", source: "google|bing", medium: "shopping|^pla$|product[ _-]?listing" },
	{ priority: 700, channel: "Organic Search", source: SEARCH, medium: "^organic([ _-]?search)?$" },
	{
		priority: 650,
		channel: "Organic Social",
		source: SOCIAL,
		medium: "^(social|sm|organic|referral|referrer|organic[ _-]?social)$",
	},
	{ priority: 645, channel: "Organic Social", medium: "^(social|sm|social[ _-](network|media)|organic[ _-]?social)$" },
	{
		priority: 600,
		channel: "Organic Video",
		source: VIDEO,
		medium: "^(organic|social|referral|referrer|organic[ _-]?video)$",
	},
	{ priority: 550, channel: "Organic Shopping", source: SHOP },
	{
		priority: 545,
		channel: "Organic Shopping",
		source: namesOf(shoppingDomains),
		medium: "^(organic|shopping|referral|referrer)?$",
	},
	{ priority: 500, channel: "AI", medium: "^ai$" },
	{ priority: 495, channel: "AI", source: AI },
	{ priority: 450, channel: "Email", medium: "^(e[ _-]?mail|newsletter|mailing)$" },
	{ priority: 445, channel: "Email", source: MAIL },
	{ priority: 400, channel: "Affiliates", medium: "^(affiliates?|partners?|aff|cpa)$" },
	{ priority: 350, channel: "SMS", medium: "^(sms|text|mms)$" },
	{ priority: 300, channel: "Push", medium: "^(web[ _-]?)?push([ _-]?notifications?)?$" },
	{ priority: 250, channel: "Audio", source: AUDIO },
	{ priority: 245, channel: "Audio", medium: "^(audio|podcast)$" },
	{ priority: 240, channel: "Organic Search", medium: "^organic([ _-]?search)?$" },
	{ priority: 200, channel: "Referral", medium: "^(referral|referrer|passthrough|link)$" },
	{ priority: 100, channel: "Direct", source: "^\\(?direct\\)?$", medium: "^\\(?(none|direct|not set)\\)?$" },
];

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
