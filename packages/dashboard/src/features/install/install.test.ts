import assert from "node:assert/strict";
import { test } from "node:test";
import { diagnose, isAllowed } from "./diagnosis.ts";
import { places, snippet } from "./snippets.ts";

const now = Date.parse("2026-11-22T12:00:00Z");
const none = { last_hit_at: null, last_script_request_at: null };
const quiet = { accepted: 0, rejected: 0, reasons: [], window_minutes: 15 };
const refused = (reason: string, ...origins: string[]) => ({
	...quiet,
	rejected: 3,
	reasons: [{ reason, count: 3, origins: origins.map((origin) => ({ origin, count: 1 })) }],
});
/** The steps of an installation that are done, and what stands in the way. */
const found = (status: Partial<Record<keyof typeof none, string>>, seen: Parameters<typeof diagnose>[1] = quiet) => {
	const { causes, ...steps } = diagnose({ ...none, ...status }, seen, { domains: ["shop.example"], now });
	return [Object.entries(steps).flatMap(([step, isDone]) => (isDone ? step : [])), causes];
};

test("steps wait until something came; an accepted hit says that all works, also where another process counted it", () => {
	assert.deepEqual(found({}), [[], []]);
	assert.deepEqual(found({ last_script_request_at: "2026-11-22T11:58:00Z" }), [["script"], []]);
	assert.deepEqual(found({ last_script_request_at: "2026-11-22T11:40:00Z" }), [[], []]);
	const all = [["script", "received", "accepted"], []];
	assert.deepEqual(found({}, { ...quiet, accepted: 1 }), all);
	assert.deepEqual(found({ last_hit_at: "2026-11-22T11:59:00Z" }), all);
});

test("a wrong domain is named once, without scheme and port, until it is allowed; other reasons stay, with their number", () => {
	const origins = ["https://www.cats.example", "https://www.cats.example:8443", "http://b.example"];
	const steps = ["script", "received"];
	assert.deepEqual(found({}, refused("invalid_domain", ...origins)), [
		steps,
		[{ reason: "invalid_domain", count: 3, hosts: ["www.cats.example", "b.example"] }],
	]);
	assert.deepEqual(found({}, refused("invalid_domain", "https://www.shop.example")), [steps, []]);
	assert.deepEqual(found({}, refused("invalid_token")), [steps, [{ reason: "invalid_token", count: 3, hosts: [] }]]);
	const lost = {
		...quiet,
		accepted: 5,
		reasons: [{ reason: "invalid_amount", count: 2, counted: true as const, origins: [] }],
	};
	assert.deepEqual(found({}, lost), [
		[...steps, "accepted"],
		[{ reason: "invalid_amount", count: 2, isCounted: true, hosts: [] }],
	]);
	const isOfShop = (host: string) => isAllowed(host, ["shop.example"]);
	assert.deepEqual(["www.shop.example", "a.b.shop.example", "myshop.example"].map(isOfShop), [true, true, false]);
	assert.equal(isAllowed("anything.example", []), true);
});

const pixel = {
	script_tag: '<script>f("a$&b")</script><script src="https://stats.example/t.js?id=shop" defer></script>',
	tracker_url: "https://stats.example/t.js?id=shop",
};
test("a page gets the tag of the API, a line a script; for Next.js the stub is a text of the script, as JSON", () => {
	const html = snippet("html", pixel, false);
	assert.equal(html, pixel.script_tag.replace("</script><", "</script>\n<"));
	assert.equal(snippet("gtm", pixel, false), html);
	assert.match(snippet("next", pixel, false), /\{"f\(\\"a\$&b\\"\)"\}<\/Script>/);
});

test("hash routes are an attribute of the script at every place; behind a proxy script and hits have the site's own name", () => {
	for (const place of places) assert.ok(snippet(place, pixel, true).includes("data-hash"), place);
	const text = snippet("proxy", pixel, false);
	for (const part of [
		'<script src="/ff/t.js?id=shop" defer></script>',
		"location = /ff/event {\n    proxy_pass https://stats.example/event;",
		"proxy_set_header Host stats.example;",
	])
		assert.ok(text.includes(part), part);
});
