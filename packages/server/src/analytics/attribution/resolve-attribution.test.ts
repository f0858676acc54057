import assert from "node:assert/strict";
import { test } from "node:test";
import { campaign } from "./campaign.ts";
import { type PageAddress, parsePageAddress, parseReferrer } from "./page-address.ts";
import { paymentPages } from "./payment-pages.ts";
import { compileReferrerMappings } from "./referrer-mappings.ts";
import {
	type Attribution,
	type AttributionSettings,
	type Entrance,
	type LiveSession,
	resolveAttribution,
} from "./resolve-attribution.ts";
import { compilePassthroughRules } from "./site-rules.ts";
import { beginTrail, extendTrail, restoreTrail } from "./trail.ts";

const viaLogin = { utm_source: "login", utm_medium: "passthrough", utm_campaign: "sso", utm_term: "t" };
const partner = { utm_source: "partner", utm_medium: "referral", utm_campaign: "co-op", utm_content: "c" };
const site: AttributionSettings = {
	domains: ["shop.example", "brand.example"],
	utmMappings: [{ customParam: "src", mapsTo: "utm_source" }],
	passthroughRules: compilePassthroughRules([{ domain: "login.example", ...viaLogin }]),
	referrerMappings: compileReferrerMappings([
		{ ...campaign(partner), pattern: "partner", matchType: "contains", priority: 0 },
		{
			...campaign({ utm_source: "my-google", utm_medium: "search" }),
			...{ pattern: "google.fr", matchType: "exact", priority: 1 },
		},
	]),
	paymentPages: paymentPages(["bank.example"]),
};

const page = (address: string): PageAddress => {
	const parsed = parsePageAddress(address);
	assert.ok(parsed, address);
	return parsed;
};

const HOME = "https://www.shop.example/";
const live: LiveSession = {
	...campaign({ utm_source: "bing", utm_medium: "organic" }),
	referrer: "bing.com",
	clid: "",
	trail: beginTrail(page("https://shop.example/landing"), parseReferrer("https://www.bing.com/"), []),
};

interface Visit {
	/** What is behind the home page, or a whole address. */
	readonly to?: string;
	readonly from?: string;
	readonly live?: LiveSession;
	readonly seen?: readonly string[];
	readonly site?: AttributionSettings;
}

const visit = ({ to = "", from, live: session, seen = [], site: settings = site }: Visit): Attribution =>
	resolveAttribution({
		page: page(to.includes("://") ? to : `${HOME}${to}`),
		referrer: parseReferrer(from),
		site: settings,
		live: session,
		isClickIdSeen: (id) => seen.includes(id),
	});

const CONTINUE: Attribution = { kind: "continue" };
const entrance = (values: Partial<Entrance>): Entrance => ({
	...{ kind: "entrance", ...campaign({}), referrer: "", clid: "", rejoined: false },
	...values,
});
const direct = entrance({ utm_source: "(direct)", utm_medium: "(none)" });
const rejoined = { ...direct, rejoined: true };

const GOOGLE = "https://www.google.com/";
const googleAd = { utm_source: "google", utm_medium: "cpc", clid: "abc" };
const facebookAd = { utm_source: "facebook", utm_medium: "social", clid: "f1" };
const open = { ...site, domains: [] };
const youtube = { ...site, domains: ["youtube.com"] };

/** What becomes of a visit while a session lives, and without one. */
type Case = readonly [visit: Visit, during: Attribution, without: Attribution];

const arrives = (given: Visit, values: Partial<Entrance>): Case => {
	const arrival = entrance({ referrer: parseReferrer(given.from)?.host ?? "", ...values });
	return [given, arrival, arrival];
};
const continues = (given: Visit, without: Attribution): Case => [given, CONTINUE, without];
const continuesFrom = (addresses: readonly string[], without: Attribution) =>
	addresses.map((from) => continues({ from }, without));

const steps: Readonly<Record<string, readonly Case[]>> = {
	"1: explicit campaign values, mapped ones too, begin a session with exactly those values, whatever the referrer": [
		arrives(
			{ to: "?utm_source=news&utm_campaign=may&gclid=abc" },
			{ utm_source: "news", utm_campaign: "may", clid: "abc" },
		),
		arrives({ to: "?utm_medium=email", from: "https://mail.google.com/" }, { utm_medium: "email" }),
		arrives({ to: "?src=flyer" }, { utm_source: "flyer" }),
		arrives({ to: "?utm_source=news", from: "https://pay.stripe.com/" }, { utm_source: "news" }),
	],
	"1 and 2: campaign values and click ids on internal links are ignored": [
		continues({ to: "?utm_source=news", from: "https://blog.shop.example/" }, rejoined),
		continues({ to: "?gclid=abc", from: "https://brand.example/" }, rejoined),
		continues({ to: "?src=flyer", from: "https://blog.shop.example/" }, rejoined),
	],
	"2: a click id that was not seen begins a session with the values of the table; else the cascade goes on": [
		arrives({ to: "?gclid=abc", from: GOOGLE }, googleAd),
		arrives({ to: "?fbclid=f1" }, facebookAd),
		continues({ to: "?gclid=abc", seen: ["abc"] }, direct),
		arrives({ to: "?gclid=abc", seen: ["abc"], from: GOOGLE }, { utm_source: "google", utm_medium: "organic" }),
		arrives({ to: "?fbclid=f1&gclid=abc" }, googleAd),
		arrives({ to: "?fbclid=f1&gclid=abc", seen: ["abc"] }, facebookAd),
	],
	"3: a payment page continues the session; without one the visit is direct": [
		...continuesFrom(["https://checkout.stripe.com/pay/1", "https://www.bank.example/3ds"], direct),
	],
	"4: a passthrough domain continues the session; without one the rule's values apply": [
		continues({ from: "https://eu.login.example/" }, entrance({ ...viaLogin, referrer: "eu.login.example" })),
	],
	"5: the site's own mappings come before the built-in list, and both begin a session, but not of own pages": [
		arrives({ from: "https://www.google.fr/" }, { utm_source: "my-google", utm_medium: "search" }),
		arrives({ from: "https://www.partner.example/" }, partner),
		arrives({ from: "https://chatgpt.com/" }, { utm_source: "chatgpt", utm_medium: "ai" }),
		continues({ from: "https://partner.shop.example/" }, rejoined),
		continues({ to: "https://youtube.com/a", from: "https://m.youtube.com/", site: youtube }, rejoined),
	],
	"6: any other foreign referrer begins a session under its domain; without domains the site is the page's own host": [
		arrives(
			{ from: "https://www.Blog.Example:8443/post?utm_source=x" },
			{ utm_source: "blog.example", utm_medium: "referrer" },
		),
		continues({ from: "https://shop.example/a", site: open }, rejoined),
		arrives({ from: "https://brand.example/", site: open }, { utm_source: "brand.example", utm_medium: "referrer" }),
	],
	"7 and 8: the site's own pages continue the session; without one the visitor rejoins": [
		...continuesFrom(["https://shop.example/a", "//www.brand.example", "http://m.shop.example:8080/"], rejoined),
	],
	"9: without a referrer the session continues; without a session the visit is direct": [
		continues({}, direct),
		...continuesFrom(["", "about:blank", "chrome-extension://abc/"], direct),
	],
};

for (const [title, cases] of Object.entries(steps)) {
	test(title, () => {
		for (const [given, during, without] of cases) {
			const outcomes = [visit({ ...given, live }), visit(given)];
			assert.deepEqual(outcomes, [during, without], `${given.to} ${given.from}`);
		}
	});
}

test("a reload of the entrance continues the session, also after a jump within the page", () => {
	const arrival = { to: "https://shop.example/landing", from: "https://www.bing.com/" };
	assert.deepEqual(visit({ ...arrival, live }), CONTINUE);
	assert.deepEqual(visit({ ...arrival, to: `${arrival.to}#reviews`, live }), CONTINUE);
	assert.equal(visit({ ...arrival, to: `${arrival.to}?x=1`, live }).kind, "entrance");
	assert.equal(visit({ ...arrival, from: "https://www.bing.com/search", live }).kind, "entrance");
	assert.equal(visit(arrival).kind, "entrance");
});

const arrivals: readonly (Visit & { readonly to: string })[] = [
	{ to: `${HOME}a?utm_source=news&utm_medium=email` },
	{ to: `${HOME}a?gclid=abc&fbclid=f1`, from: "https://www.google.com/" },
	{ to: `${HOME}a`, from: "https://www.google.com/" },
	{ to: `${HOME}a`, from: "https://partner.example/x" },
	{ to: `${HOME}a`, from: "https://blog.example/x" },
];

for (const known of [true, false]) {
	test(`reloads of any page of a visit are recognized ${known ? "by the exact texts" : "after a restart by what was stored"}`, () => {
		for (const arrival of arrivals) {
			const first = visit(arrival);
			assert.equal(first.kind, "entrance");
			if (first.kind !== "entrance") continue;
			const seen = [first.clid, "f1"];
			const [, query = ""] = arrival.to.split("?");
			const begun = beginTrail(page(arrival.to), parseReferrer(arrival.from), site.utmMappings);
			const trail = known ? extendTrail(begun, page(`${HOME}b?size=m`), site.utmMappings) : restoreTrail(["/a", "/b"]);
			const again = { ...arrival, seen, live: { ...first, trail } };
			// Of a visit without a campaign a router may have nothing to clean off.
			for (const to of [arrival.to, `${HOME}a`, `${HOME}b?size=m`, `${HOME}b?${query}&size=m&utm_id=7&gad_source=1`]) {
				assert.deepEqual(visit({ ...again, to: to.replace("?&", "?") }), CONTINUE, `${to} ${arrival.from}`);
			}
			if (arrival.from !== undefined) {
				assert.equal(visit({ ...again, to: `${HOME}c` }).kind, "entrance");
				assert.equal(visit({ ...again, from: "https://other.example/" }).kind, "entrance");
			}
			if (known && arrival.from !== undefined) assert.equal(visit({ ...again, to: `${HOME}b` }).kind, "entrance");
			assert.equal(visit({ ...again, to: `${HOME}a?utm_source=other` }).kind, "entrance");
			assert.equal(visit({ ...again, to: `${HOME}a?gclid=another` }).kind, "entrance");
		}
	});
}

test("a trail holds fifty pages, and one more replaces the oldest", () => {
	let trail = beginTrail(page(`${HOME}0`), undefined, []);
	for (let n = 1; n <= 50; n++) trail = extendTrail(trail, page(`${HOME}${n}`), []);
	assert.equal(trail.pages.length, 50);
	assert.equal(extendTrail(trail, page(`${HOME}50`), []), trail);
	assert.notEqual(extendTrail(trail, page(`${HOME}0`), []), trail);
});
