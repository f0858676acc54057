import assert from "node:assert/strict";
import { test } from "node:test";
import { factsOfHits, type OracleHit } from "./oracle-hits.ts";

const site = { id: "shop", timezone: "Europe/Madrid", hosts: ["shop.example"] };

function hit(time: string, url: string, referrer = "", event?: OracleHit["event"]): OracleHit {
	return {
		site,
		at: Date.parse(`2026-11-20T${time}Z`),
		visitor: "1",
		url: `https://shop.example${url}`,
		referrer,
		group: "",
		country: "ES",
		device: "laptop",
		...(event && { event }),
	};
}

const purchase = { type: "purchase", micro: false, amount: 129_900, properties: { sku: "a" }, items: [{ sku: "a" }] };

/** One word a fact: its kind, page and source. */
const story = (hits: readonly OracleHit[]) =>
	factsOfHits(hits).map(({ kind, labels, counts, date, hour, rejoined }) => {
		const marks = [counts.entrances ? "entrance" : "", rejoined ? "rejoined" : ""].filter(Boolean).join(" ");
		return `${date} ${hour} ${kind}${marks && ` (${marks})`} ${labels.path} from ${labels.utm_source} on ${labels.landing_page}`;
	});

test("a visit is one entrance, and its second page view engages the entrance's own hour", () => {
	assert.deepEqual(
		story([
			hit("22:55:00", "/", "https://www.google.com/"),
			hit("23:10:00", "/cart", "https://shop.example/"),
			hit("23:11:00", "/cart/pay", "https://www.shop.example/cart"),
			hit("23:12:00", "/done", "https://www.paypal.com/pay", purchase),
		]),
		[
			"2026-11-20 23 pageview (entrance) / from google on /",
			"2026-11-21 0 pageview /cart from google on /",
			"2026-11-20 23 engaged / from google on /",
			"2026-11-21 0 pageview /cart/pay from google on /",
			"2026-11-21 0 conversion /done from google on /",
			"2026-11-21 0 item /done from google on /",
		],
	);
});

test("after half an hour without a hit, or from elsewhere, a session begins anew", () => {
	assert.deepEqual(
		story([
			hit("10:00:00", "/"),
			hit("10:29:59", "/a"),
			hit("10:59:59", "/b", "https://shop.example/a"),
			hit("11:01:00", "/c", "https://blog.example/post"),
			hit("11:02:00", "/d?utm_source=newsletter&utm_medium=email"),
			hit("11:03:00", "/d?utm_source=newsletter&utm_medium=email"),
			hit("11:04:00", "/e?utm_source=x", "https://shop.example/d"),
			hit("11:05:00", "/f?gclid=1"),
			hit("11:06:00", "/g?gclid=1"),
		]),
		[
			"2026-11-20 11 pageview (entrance) / from (direct) on /",
			"2026-11-20 11 pageview /a from (direct) on /",
			"2026-11-20 11 engaged / from (direct) on /",
			"2026-11-20 11 pageview (entrance rejoined) /b from (direct) on /b",
			"2026-11-20 12 pageview (entrance) /c from blog.example on /c",
			"2026-11-20 12 pageview (entrance) /d from newsletter on /d",
			"2026-11-20 12 pageview /d from newsletter on /d",
			"2026-11-20 12 engaged /d from newsletter on /d",
			"2026-11-20 12 pageview /e from newsletter on /d",
			"2026-11-20 12 pageview (entrance) /f from google on /f",
			"2026-11-20 12 pageview /g from google on /f",
			"2026-11-20 12 engaged /f from google on /f",
		],
	);
});

test("an event without a session opens one without an entrance; the page view after it is the entrance", () => {
	const micro = { ...purchase, micro: true, amount: 0 };
	assert.deepEqual(
		story([
			hit("10:00:00", "/a", "https://www.facebook.com/", micro),
			hit("10:01:00", "/b", "https://shop.example/a"),
			hit("10:02:00", "/c", "", micro),
		]),
		[
			"2026-11-20 11 microconversion /a from facebook on ",
			"2026-11-20 11 pageview (entrance) /b from facebook on /b",
			"2026-11-20 11 microconversion /c from facebook on /b",
		],
	);
});
