import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { RE2JS } from "re2js";
import { findBuiltInReferrer } from "./built-in-referrers.ts";
import { classifyChannel, compileChannelRules, defaultChannelRules } from "./channel-rules.ts";
import * as listed from "./referrer-lists.ts";
import { compilePattern } from "./search-pattern.ts";

const channel = (source: string, medium: string) => classifyChannel({ source, medium, campaign: "" });

/** Visits, as source and medium, by the rule that must decide them. */
const visits: readonly (readonly [priority: number, channel: string, visits: string])[] = [
	[950, "Paid Search", "google / cpc, Bing / PPC, search.yahoo.com / paid-search, www.google.es / sem"],
	[900, "Paid Social", "facebook / cpc, linkedin / social_ads, tiktok / paid, x / cpm, t.co / cpc"],
	[895, "Paid Social", "somewhere / paid social,  / paidsocial"],
	[850, "Paid Video", "youtube / cpv, vimeo.com / video, youtu.be / paid video"],
	[800, "Display", "somewhere / display, google / banner,  / rich-media,  / programmatic"],
	[750, "Paid Shopping", "google / pla, bing / shopping_ads, google / product listing ad"],
	[700, "Organic Search", "google / organic, duckduckgo / organic search, yandex.ru / organic"],
	[650, "Organic Social", "facebook / referral, reddit / social, t.me / referrer, xing / organic"],
	[645, "Organic Social", "somewhere / social,  / social-network,  / sm"],
	[600, "Organic Video", "youtube / referral, twitch.tv / organic"],
	[550, "Organic Shopping", "idealo.de / referral, google shopping / referral, shopping / "],
	[545, "Organic Shopping", "amazon / referral, ebay.com / "],
	[500, "AI", "somewhere / ai"],
	[495, "AI", "chatgpt.com / referral, perplexity / (not set)"],
	[450, "Email", "may / email,  / E-Mail,  / newsletter"],
	[445, "Email", "weekly_newsletter / link, mailchimp / , gmail / web"],
	[400, "Affiliates", "somewhere / affiliate,  / partners,  / cpa"],
	[350, "SMS", " / sms,  / text"],
	[300, "Push", " / push,  / web push notification,  / webpush"],
	[250, "Audio", "spotify / cpc, my.podcast / x"],
	[245, "Audio", " / podcast,  / audio"],
	[240, "Organic Search", "googlex / organic,  / organic_search"],
	[200, "Referral", "blog.example / referrer, x.example / referral, login / passthrough"],
	[100, "Direct", "(direct) / (none), direct / none, (direct) / (not set)"],
];

const pairsOf = (text: string) => text.split(", ").map((visit) => visit.split(" / "));

test("each default rule books its visits, and they stand by falling priority", () => {
	for (const [priority, expected, texts] of visits) {
		for (const [source = "", medium = ""] of pairsOf(texts)) {
			const match = compileChannelRules([])({ source, medium, campaign: "" });
			assert.deepEqual([match.rule?.priority, match.channel], [priority, expected], `${source} / ${medium}`);
		}
	}
	const rules = defaultChannelRules.map(({ priority, channel: name }) => `${priority} ${name}`);
	const wanted = visits.map(([priority, name]) => `${priority} ${name}`);
	assert.deepEqual(rules, wanted);
});

const lists = [
	[listed.searchDomains, "organic", "Organic Search"],
	[listed.socialDomains, "social", "Organic Social"],
	[listed.assistantDomains, "ai", "AI"],
	[listed.webmailDomains, "email", "Email"],
	[listed.videoDomains, "referral", "Organic Video"],
	[listed.shoppingDomains, "referral", "Organic Shopping"],
] as const;

test("each name of a built-in list has the channel of its kind, and each of its domains is known by it; what no rule matches is unassigned", () => {
	const seen = new Set<string>();
	for (const [list, medium, expected] of lists) {
		for (const [name, domains] of Object.entries(list)) {
			assert.equal(channel(name, medium), expected, name);
			for (const domain of domains.split(" ")) {
				const known = findBuiltInReferrer(domain);
				assert.deepEqual([known?.utm_source, known?.utm_medium], [name, medium], domain);
				assert.equal(seen.has(domain), false, `${domain} is listed twice`);
				seen.add(domain);
			}
		}
	}
	for (const { name } of listed.searchHostPatterns) assert.equal(channel(name, "organic"), "Organic Search", name);
	for (const unknown of ["/", "somewhere/something", "googlex/organics"]) {
		const [source = "", medium = ""] = unknown.split("/");
		assert.equal(channel(source, medium), "Unassigned");
	}
	// A name may be in two lists, by different hosts: the medium tells them apart.
	assert.deepEqual([channel("naver", "organic"), channel("naver", "email")], ["Organic Search", "Email"]);
});

test("own rules come first: falling priority, the older on a tie, all given patterns together", () => {
	const rules = compileChannelRules([
		{ channel: "Low", priority: 1, medium: "cpc" },
		{ channel: "Older", priority: 9, source: "^goo" },
		{ channel: "Younger", priority: 9, source: "^goo" },
		{ channel: "Brand", priority: 10, source: "GOOGLE", campaign: "brand" },
	]);
	const of = (source: string, medium: string, campaign: string) => classifyChannel({ source, medium, campaign }, rules);
	assert.equal(of("google", "cpc", "My Brand 2026"), "Brand");
	assert.equal(of("google", "cpc", "other"), "Older");
	assert.equal(of("other", "CPC", "brand"), "Low");
	assert.equal(of("bing", "organic", ""), "Organic Search");
});

test("an own rule with a broken pattern never matches, and one that explodes elsewhere is decided", () => {
	const rules = compileChannelRules([
		{ channel: "Broken", priority: 9, source: "([" },
		{ channel: "Slow", priority: 8, source: "^(a+)+$" },
	]);
	const of = (source: string) => classifyChannel({ source, medium: "", campaign: "" }, rules);
	assert.deepEqual([of(`${"a".repeat(250)}!`), of("aaa")], ["Unassigned", "Slow"]);
});

test("the default rules decide as RE2 does, whatever the values", () => {
	const compiled = new Map<string, RE2JS>();
	const test = (pattern: string, text: string) => {
		const expression = compiled.get(pattern) ?? RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
		compiled.set(pattern, expression);
		return expression.test(text);
	};
	const decides = (pattern: string | undefined, text: string) => pattern === undefined || test(pattern, text);
	const naive = (source: string, medium: string) =>
		defaultChannelRules.find((rule) => decides(rule.source, source) && decides(rule.medium, medium))?.channel ??
		"Unassigned";
	const words = visits.flatMap(([, , texts]) => pairsOf(texts).flat());
	const text = fc.oneof(
		fc.constantFrom(...words),
		fc.string(),
		fc.tuple(fc.constantFrom(...words), fc.string()).map((both) => both.join("")),
	);
	fc.assert(
		fc.property(text, text, (source, medium) => assert.equal(channel(source, medium), naive(source, medium))),
		{ numRuns: 300 },
	);
});

test("an expression of up to 500 instructions compiles, and one that is larger or no RE2 syntax does not", () => {
	for (const pattern of ["a{498}", "^(([a-z])+.)+[A-Z]([a-z])+$", "(x+x+)+y", "(a|a)*b", "(.*)*x", "(a{0,9}){0,9}$"]) {
		assert.ok(compilePattern(pattern), pattern);
	}
	const refused = ["a{499}", "(.{1,500}){2}", "(a{0,90}){0,90}", "(", "(?=x)", "(a)\\1", "a{2,1}", "[z-a]", "*"];
	for (const pattern of refused) assert.equal(compilePattern(pattern), undefined, pattern);
});
