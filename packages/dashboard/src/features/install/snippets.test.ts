import assert from "node:assert/strict";
import { test } from "node:test";
import { places, snippet } from "./snippets.ts";

const pixel = {
	script_tag: '<script>f("a$&b")</script><script src="https://stats.example/t.js?id=shop" defer></script>',
	tracker_url: "https://stats.example/t.js?id=shop",
};
const plain = { events: [], hash: false };

test("a page gets the tag of the API, a line a script", () => {
	assert.equal(
		snippet("html", pixel, plain),
		'<script>f("a$&b")</script>\n<script src="https://stats.example/t.js?id=shop" defer></script>',
	);
	assert.equal(snippet("gtm", pixel, plain), snippet("html", pixel, plain));
});

test("what was chosen stands in the tracker's address, whatever the place", () => {
	for (const place of places) {
		const text = snippet(place, pixel, { events: ["scroll", "outbound", "else"], hash: true });
		assert.ok(text.includes("/t.js?id=shop&events=outbound,scroll"), place);
		assert.ok(text.includes("data-hash"), place);
	}
});

test("for Next.js the stub is a text of the script, as JSON", () => {
	assert.match(snippet("next", pixel, plain), /\{"f\(\\"a\$&b\\"\)"\}<\/Script>/);
});

test("behind a proxy the tracker has the site's own name, and so has what it sends to", () => {
	const text = snippet("proxy", pixel, plain);
	assert.ok(text.includes('<script src="/ff/t.js?id=shop" defer></script>'));
	assert.ok(text.includes("location = /ff/event {\n    proxy_pass https://stats.example/event;"));
	assert.ok(text.includes("proxy_set_header Host stats.example;"));
});
