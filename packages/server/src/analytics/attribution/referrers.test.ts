import assert from "node:assert/strict";
import { test } from "node:test";
import { findBuiltInReferrer } from "./built-in-referrers.ts";
import { campaign } from "./campaign.ts";
import { parseReferrer } from "./page-address.ts";
import { isPaymentHost, paymentPages } from "./payment-pages.ts";
import { compileReferrerMappings, type ReferrerMapping } from "./referrer-mappings.ts";

/** Referrers by source and medium, beside the domains of the lists; those without a scheme are web pages. */
const known: Readonly<Record<string, string>> = {
	"google / organic":
		"www.google.com www.google.co.uk www.google.com.mx www.google.es images.google.de news.google.com www.google.cat android-app://com.google.android.googlequicksearchbox/",
	"bing / organic": "www.bing.com cn.bing.com",
	"yahoo / organic": "uk.search.yahoo.com r.search.yahoo.com search.yahoo.co.jp",
	"yandex / organic": "yandex.ru yandex.com.tr ya.ru",
	"naver / organic": "m.search.naver.com m.naver.com",
	"pinterest / social": "www.pinterest.co.uk",
	"bsky / social": "go.bsky.app",
	"gmail / email": "mail.google.com android-app://com.google.android.gm/",
	"outlook / email": "outlook.live.com nam02.safelinks.protection.outlook.com",
	"yahoo mail / email": "mail.yahoo.com hk.mg3.mail.yahoo.com",
	"yandex mail / email": "mail.yandex.ru",
	"google shopping / referral": "shopping.google.com",
	"amazon / referral": "www.amazon.com.br",
	"web.de / organic": "suche.web.de/web",
	"web.de / email": "web.de",
	"shopping / referral": "shopping.naver.com",
	"mail.ru / email": "e.mail.ru/inbox",
};

test("search engines, networks, assistants, mail and shops are known by their source and medium", () => {
	for (const [expected, referrers] of Object.entries(known)) {
		for (const referrer of referrers.split(" ")) {
			const address = referrer.includes("://") ? referrer : `https://${referrer}`;
			const found = findBuiltInReferrer(parseReferrer(address)?.host ?? "");
			assert.equal(found && `${found.utm_source} / ${found.utm_medium}`, expected, referrer);
		}
	}
});

test("other services of a search engine's company and look-alikes are not searches", () => {
	const others =
		"docs.google.com cafe.naver.com blog.naver.com zhidao.baidu.com tieba.baidu.com news.mail.ru my.mail.ru blog.ecosia.org help.kagi.com blogs.bing.com drive.proton.me produkte.web.de baike.so.com news.yahoo.com";
	const alike = "google.evil.com notgoogle.com google.com.evil.org facebook.com.evil.org examplet.co";
	for (const host of `${others} ${alike}`.split(" ")) assert.equal(findBuiltInReferrer(host), undefined, host);
});

test("payment providers, bank checks and the operator's own domains are payment pages", () => {
	const pages = paymentPages(["www.Pay.Example.com"]);
	const hosts =
		"checkout.shopify.com pay.shopify.com shop.app pay.gocardless.com secure.gopay.com p.monetico-services.com pgw.ceca.es eu-test.oppwa.com pay.weixin.qq.com stripe.com checkout.stripe.com paypal.com live.adyen.com klarna.com sis.redsys.es mollie.com secure.worldpay.com checkout.com secure5.arcot.com pay.example.com";
	for (const host of hosts.split(" ")) assert.equal(isPaymentHost(pages, host), true, host);
	const others = "example.com google.com notstripe.com amazon.com shopify.com admin.shopify.com weixin.qq.com";
	for (const host of others.split(" ")) assert.equal(isPaymentHost(pages, host), false, host);
});

const mapping = (pattern: string, matchType: ReferrerMapping["matchType"], utm_source: string) => ({
	...{ pattern, matchType, priority: 0 },
	...campaign({ utm_source, utm_medium: "referral" }),
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
