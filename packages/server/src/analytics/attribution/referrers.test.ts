import assert from "node:assert/strict";
import { test } from "node:test";
import { findBuiltInReferrer } from "./built-in-referrers.ts";
import { parseReferrer } from "./page-address.ts";
import { compilePassthroughRules, findPassthroughRule } from "./passthrough-rules.ts";
import { isPaymentHost, paymentPages } from "./payment-pages.ts";
import { compileReferrerMappings, type ReferrerMapping } from "./referrer-mappings.ts";

const known: Readonly<Record<string, string>> = {
	"https://www.google.com/": "google / organic",
	"https://www.google.co.uk/": "google / organic",
	"https://www.google.com.mx/": "google / organic",
	"https://www.google.es/": "google / organic",
	"https://images.google.de/": "google / organic",
	"https://news.google.com/": "google / organic",
	"https://www.google.cat/": "google / organic",
	"android-app://com.google.android.googlequicksearchbox/": "google / organic",
	"https://www.bing.com/": "bing / organic",
	"https://cn.bing.com/": "bing / organic",
	"https://duckduckgo.com/": "duckduckgo / organic",
	"https://uk.search.yahoo.com/": "yahoo / organic",
	"https://r.search.yahoo.com/": "yahoo / organic",
	"https://search.yahoo.co.jp/": "yahoo / organic",
	"https://yandex.ru/": "yandex / organic",
	"https://yandex.com.tr/": "yandex / organic",
	"https://ya.ru/": "yandex / organic",
	"https://m.baidu.com/": "baidu / organic",
	"https://www.ecosia.org/": "ecosia / organic",
	"https://search.brave.com/": "brave / organic",
	"https://m.search.naver.com/": "naver / organic",
	"https://m.facebook.com/": "facebook / social",
	"https://l.instagram.com/": "instagram / social",
	"https://t.co/": "twitter / social",
	"https://x.com/": "twitter / social",
	"https://www.linkedin.com/": "linkedin / social",
	"https://lnkd.in/": "linkedin / social",
	"https://old.reddit.com/": "reddit / social",
	"https://www.pinterest.co.uk/": "pinterest / social",
	"https://go.bsky.app/": "bsky / social",
	"https://chatgpt.com/": "chatgpt / ai",
	"https://gemini.google.com/": "gemini / ai",
	"https://www.perplexity.ai/": "perplexity / ai",
	"https://claude.ai/": "claude / ai",
	"https://copilot.microsoft.com/": "copilot / ai",
	"https://mail.google.com/": "gmail / email",
	"https://outlook.live.com/": "outlook / email",
	"https://mail.yahoo.com/": "yahoo mail / email",
	"https://mail.yandex.ru/": "yandex mail / email",
	"android-app://com.google.android.gm/": "gmail / email",
	"https://www.youtube.com/": "youtube / referral",
	"https://youtu.be/": "youtube / referral",
	"https://vimeo.com/": "vimeo / referral",
	"https://www.idealo.de/": "idealo / referral",
	"https://shopping.google.com/": "google shopping / referral",
	"https://www.amazon.com.br/": "amazon / referral",
	"https://suche.web.de/web": "web.de / organic",
	"https://web.de/": "web.de / email",
	"https://shopping.naver.com/": "shopping / referral",
	"https://m.naver.com/": "naver / organic",
	"https://hk.mg3.mail.yahoo.com/": "yahoo mail / email",
	"https://nam02.safelinks.protection.outlook.com/": "outlook / email",
	"https://e.mail.ru/inbox/": "mail.ru / email",
};

test("search engines, networks, assistants, mail and shops are known by their source and medium", () => {
	for (const [referrer, expected] of Object.entries(known)) {
		const found = findBuiltInReferrer(parseReferrer(referrer)?.host ?? "");
		assert.equal(found && `${found.utm_source} / ${found.utm_medium}`, expected, referrer);
	}
});

test("other services of a search engine's company and look-alikes are not searches", () => {
	for (const host of [
		"docs.google.com",
		"cafe.naver.com",
		"blog.naver.com",
		"zhidao.baidu.com",
		"tieba.baidu.com",
		"news.mail.ru",
		"my.mail.ru",
		"blog.ecosia.org",
		"help.kagi.com",
		"blogs.bing.com",
		"drive.proton.me",
		"produkte.web.de",
		"baike.so.com",
		"news.yahoo.com",
		"google.evil.com",
		"notgoogle.com",
		"google.com.evil.org",
		"facebook.com.evil.org",
		"examplet.co",
	]) {
		assert.equal(findBuiltInReferrer(host), undefined, host);
	}
});

test("payment providers, bank checks and the operator's own domains are payment pages", () => {
	const pages = paymentPages(["www.Pay.Example.com"]);
	const hosts =
		"checkout.shopify.com pay.shopify.com shop.app pay.gocardless.com secure.gopay.com p.monetico-services.com pgw.ceca.es eu-test.oppwa.com pay.weixin.qq.com stripe.com checkout.stripe.com paypal.com live.adyen.com klarna.com sis.redsys.es mollie.com secure.worldpay.com checkout.com secure5.arcot.com pay.example.com";
	for (const host of hosts.split(" ")) assert.equal(isPaymentHost(pages, host), true, host);
	for (const host of "example.com google.com notstripe.com amazon.com shopify.com admin.shopify.com weixin.qq.com".split(
		" ",
	)) {
		assert.equal(isPaymentHost(pages, host), false, host);
	}
});

test("of several passthrough rules the one with the longest domain applies", () => {
	const rule = (domain: string) => ({
		domain,
		utm_source: domain,
		utm_medium: "passthrough",
		utm_campaign: "",
		utm_term: "",
	});
	const rules = compilePassthroughRules([rule("example.org"), rule("login.example.org")]);
	assert.equal(findPassthroughRule(rules, "eu.login.example.org")?.utm_source, "login.example.org");
	assert.equal(findPassthroughRule(rules, "www2.example.org")?.utm_source, "example.org");
	assert.equal(findPassthroughRule(rules, "notexample.org"), undefined);
});

const mapping = (
	pattern: string,
	matchType: ReferrerMapping["matchType"],
	utm_source: string,
	priority = 0,
): ReferrerMapping => ({
	pattern,
	matchType,
	priority,
	utm_source,
	utm_medium: "referral",
	utm_campaign: "",
	utm_term: "",
	utm_content: "",
});

test("a mapping matches the referrer's domain in each of the five ways", () => {
	const find = compileReferrerMappings([
		mapping("www.Exact.example", "exact", "exact"),
		mapping("middle", "contains", "contains"),
		mapping("start.", "starts_with", "starts"),
		mapping(".end", "ends_with", "ends"),
		mapping("^re\\d+\\.", "regex", "regex"),
		mapping("([", "regex", "broken"),
	]);
	for (const [host, source] of [
		["exact.example", "exact"],
		["sub.exact.example", undefined],
		["a.middleware.org", "contains"],
		["start.org", "starts"],
		["re.start.org", undefined],
		["the.end", "ends"],
		["re42.org", "regex"],
		["re.org", undefined],
	] as const) {
		assert.equal(find(host)?.utm_source, source, host);
	}
});

test("the highest priority wins, the older mapping on a tie", () => {
	const find = compileReferrerMappings([
		mapping("a", "contains", "older", 5),
		mapping("a", "contains", "younger", 5),
		mapping("ab", "contains", "higher", 6),
	]);
	assert.equal(find("ac")?.utm_source, "older");
	assert.equal(find("ab")?.utm_source, "higher");
	assert.equal(find("ab")?.utm_source, "higher");
});
