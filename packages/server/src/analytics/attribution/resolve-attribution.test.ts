import assert from "node:assert/strict";
import { test } from "node:test";
import { campaign } from "./campaign.ts";
import { type PageAddress, parsePageAddress, parseReferrer } from "./page-address.ts";
import { compilePassthroughRules } from "./passthrough-rules.ts";
import { paymentPages } from "./payment-pages.ts";
import { compileReferrerMappings } from "./referrer-mappings.ts";
import {
	type Attribution,
	type AttributionSettings,
	type Entrance,
	type LiveSession,
	resolveAttribution,
} from "./resolve-attribution.ts";
import { beginTrail, extendTrail, restoreTrail } from "./trail.ts";

const site: AttributionSettings = {
	domains: ["shop.example", "brand.example"],
	utmMappings: [{ customParam: "src", mapsTo: "utm_source" }],
	passthroughRules: compilePassthroughRules([
		{
			domain: "login.example",
			utm_source: "login",
			utm_medium: "passthrough",
			utm_campaign: "sso",
			utm_term: "t",
		},
	]),
	referrerMappings: compileReferrerMappings([
		{
			...campaign({ utm_source: "partner", utm_medium: "referral", utm_campaign: "co-op", utm_content: "c" }),
			pattern: "partner",
			matchType: "contains",
			priority: 0,
		},
		{
			...campaign({ utm_source: "my-google", utm_medium: "search" }),
			pattern: "google.fr",
			matchType: "exact",
			priority: 1,
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
	readonly to?: string;
	readonly from?: string;
	readonly live?: LiveSession;
	readonly seen?: readonly string[];
	readonly site?: AttributionSettings;
}

const visit = ({ to = HOME, from, live: session, seen = [], site: settings = site }: Visit): Attribution =>
	resolveAttribution({
		page: page(to),
		referrer: parseReferrer(from),
		site: settings,
		live: session,
		isClickIdSeen: (id) => seen.includes(id),
	});

const CONTINUE: Attribution = { kind: "continue" };
const entrance = (values: Partial<Entrance>): Entrance => ({
	kind: "entrance",
	...campaign({}),
	referrer: "",
	clid: "",
	rejoined: false,
	...values,
});
const direct = entrance({ utm_source: "(direct)", utm_medium: "(none)" });
const both = [undefined, live] as const;

test("1: explicit campaign values begin a session with exactly those values", () => {
	const to = `${HOME}?utm_source=news&utm_campaign=may&gclid=abc`;
	for (const session of both) {
		assert.deepEqual(
			visit({ to, ...(session && { live: session }) }),
			entrance({ utm_source: "news", utm_campaign: "may", clid: "abc" }),
		);
	}
	assert.deepEqual(
		visit({ to: `${HOME}?utm_medium=email`, from: "https://mail.google.com/", live }),
		entrance({ utm_medium: "email", referrer: "mail.google.com" }),
	);
});

test("1: a mapped parameter counts as an explicit value", () => {
	assert.deepEqual(visit({ to: `${HOME}?src=flyer`, live }), entrance({ utm_source: "flyer" }));
});

test("1: explicit values come before payment pages and passthrough domains", () => {
	assert.deepEqual(
		visit({ to: `${HOME}?utm_source=news`, from: "https://pay.stripe.com/", live }),
		entrance({ utm_source: "news", referrer: "pay.stripe.com" }),
	);
});

test("1 and 2: campaign values and click ids on internal links are ignored", () => {
	for (const query of ["utm_source=news", "gclid=abc", "src=flyer"]) {
		const to = `${HOME}?${query}`;
		assert.deepEqual(visit({ to, from: "https://blog.shop.example/", live }), CONTINUE);
		assert.deepEqual(visit({ to, from: "https://brand.example/" }), { ...direct, rejoined: true });
	}
});

test("2: a click id begins a session with the values of the table", () => {
	assert.deepEqual(
		visit({ to: `${HOME}?gclid=abc`, from: "https://www.google.com/", live }),
		entrance({ utm_source: "google", utm_medium: "cpc", clid: "abc", referrer: "google.com" }),
	);
	assert.deepEqual(
		visit({ to: `${HOME}?fbclid=f1` }),
		entrance({ utm_source: "facebook", utm_medium: "social", clid: "f1" }),
	);
});

test("2: of a click id that several applications share, a referrer of the family names the source, and no other does", () => {
	for (const [query, from, source, medium] of [
		["fbclid=f1", "https://l.instagram.com/", "instagram", "social"],
		["fbclid=f1", "https://l.threads.com/", "threads", "social"],
		["fbclid=f1", "android-app://com.instagram.android/", "instagram", "social"],
		["fbclid=f1", "https://m.facebook.com/", "facebook", "social"],
		["fbclid=f1", "https://www.reddit.com/", "facebook", "social"],
		["fbclid=f1", undefined, "facebook", "social"],
		["gclid=g1", "https://www.youtube.com/", "youtube", "cpc"],
		["wbraid=g1", "https://m.youtube.com/", "youtube", "cpc"],
		["gclid=g1", "https://duckduckgo.com/", "google", "cpc"],
		["msclkid=m1", "https://duckduckgo.com/", "duckduckgo", "cpc"],
		["msclkid=m1", "https://uk.search.yahoo.com/", "yahoo", "cpc"],
		["msclkid=m1", undefined, "bing", "cpc"],
	] as const) {
		const arrival = visit({ to: `${HOME}?${query}`, ...(from && { from }) }) as Entrance;
		assert.deepEqual([arrival.utm_source, arrival.utm_medium], [source, medium], `${query} ${from}`);
	}
});

test("2: a click id that was seen opens none; the cascade goes on", () => {
	const to = `${HOME}?gclid=abc`;
	assert.deepEqual(visit({ to, seen: ["abc"], live }), CONTINUE);
	assert.deepEqual(visit({ to, seen: ["abc"] }), direct);
	assert.deepEqual(
		visit({ to, seen: ["abc"], from: "https://www.google.com/" }),
		entrance({ utm_source: "google", utm_medium: "organic", referrer: "google.com" }),
	);
});

test("2: of several click ids the first that was not seen counts", () => {
	const to = `${HOME}?fbclid=f1&gclid=abc`;
	assert.equal((visit({ to }) as Entrance).clid, "abc");
	assert.equal((visit({ to, seen: ["abc"] }) as Entrance).utm_source, "facebook");
});

test("3: a payment page continues the session; without one the visit is direct", () => {
	for (const from of ["https://checkout.stripe.com/pay/1", "https://www.bank.example/3ds"]) {
		assert.deepEqual(visit({ from, live }), CONTINUE);
		assert.deepEqual(visit({ from }), direct);
	}
});

test("4: a passthrough domain continues the session; without one the rule's values apply", () => {
	const from = "https://eu.login.example/";
	assert.deepEqual(visit({ from, live }), CONTINUE);
	assert.deepEqual(
		visit({ from }),
		entrance({
			utm_source: "login",
			utm_medium: "passthrough",
			utm_campaign: "sso",
			utm_term: "t",
			referrer: "eu.login.example",
		}),
	);
});

test("5: the site's own mappings come before the built-in list, and both begin a session", () => {
	for (const session of both) {
		const now = session && { live: session };
		assert.deepEqual(
			visit({ from: "https://www.google.fr/", ...now }),
			entrance({ utm_source: "my-google", utm_medium: "search", referrer: "google.fr" }),
		);
		assert.deepEqual(
			visit({ from: "https://www.partner.example/", ...now }),
			entrance({
				utm_source: "partner",
				utm_medium: "referral",
				utm_campaign: "co-op",
				utm_content: "c",
				referrer: "partner.example",
			}),
		);
		assert.deepEqual(
			visit({ from: "https://chatgpt.com/", ...now }),
			entrance({ utm_source: "chatgpt", utm_medium: "ai", referrer: "chatgpt.com" }),
		);
	}
});

test("5: a mapping that happens to match the site's own hosts interrupts no session", () => {
	assert.deepEqual(visit({ from: "https://partner.shop.example/", live }), CONTINUE);
	assert.deepEqual(visit({ from: "https://partner.shop.example/" }), { ...direct, rejoined: true });
});

test("5: a site of a listed company does not count its own pages as arrivals", () => {
	const own = { ...site, domains: ["youtube.com"] };
	assert.deepEqual(visit({ to: "https://youtube.com/a", from: "https://m.youtube.com/", live, site: own }), CONTINUE);
});

test("6: any other foreign referrer begins a session under its domain", () => {
	for (const session of both) {
		assert.deepEqual(
			visit({ from: "https://www.Blog.Example:8443/post?utm_source=x", ...(session && { live: session }) }),
			entrance({ utm_source: "blog.example", utm_medium: "referrer", referrer: "blog.example" }),
		);
	}
});

test("7 and 8: the site's own pages continue the session; without one the visitor rejoins", () => {
	for (const from of ["https://shop.example/a", "//www.brand.example", "http://m.shop.example:8080/"]) {
		assert.deepEqual(visit({ from, live }), CONTINUE);
		assert.deepEqual(visit({ from }), { ...direct, rejoined: true });
	}
});

test("9: without a referrer the session continues; without a session the visit is direct", () => {
	for (const from of [undefined, "", "about:blank", "chrome-extension://abc/"]) {
		const given = from === undefined ? {} : { from };
		assert.deepEqual(visit({ ...given, live }), CONTINUE);
		assert.deepEqual(visit(given), direct);
	}
});

test("a site without domains takes the page's own host as itself", () => {
	const open = { ...site, domains: [] };
	assert.deepEqual(visit({ from: "https://shop.example/a", live, site: open }), CONTINUE);
	assert.equal((visit({ from: "https://brand.example/", live, site: open }) as Entrance).utm_source, "brand.example");
});

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
	{ to: `${HOME}a?gclid=abc`, from: "https://www.google.com/" },
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
			const seen = [first.clid];
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
