import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { html } from "./html.ts";
import { pageStyle, palettes } from "./page-style.ts";

test("a text is never markup, neither between tags nor in an attribute", () => {
	const text = `"><script>alert('1')</script>&amp;`;
	const escaped = "&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;";
	assert.equal(String(html`<p title="${text}">${text}</p>`), `<p title="${escaped}">${escaped}</p>`);
	const forged = { toString: () => "<script>" } as unknown as string;
	assert.throws(() => html`${forged}`, TypeError);
	assert.equal(String(html`${["<i>"]}`), "&lt;i&gt;");
});

test("markup of a template stays, lists are joined, nothing leaves nothing", () => {
	const items = ["a", "<b>"].map((item) => html`<li>${item}</li>`);
	assert.equal(String(html`<ul>${items}</ul>${undefined}${false}${0}`), "<ul><li>a</li><li>&lt;b&gt;</li></ul>0");
});

/** Relative luminance of a colour (WCAG 2.2). */
function luminance(colour: string): number {
	const [red = 0, green = 0, blue = 0] = [1, 3, 5]
		.map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
		.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
	const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
	return (light + 0.05) / (dark + 0.05);
}

test("pages have the colours of the dashboard", () => {
	const tokens = readFileSync(new URL("../../../../../dashboard/src/ui/tokens.css", import.meta.url), "utf8");
	const found = [...tokens.matchAll(/--([\w-]+): light-dark\((#\w+), (#\w+)\)/g)];
	const colours = new Map(found.map(([, name, light, dark]) => [name, [light, dark]]));
	for (const [name, light] of Object.entries(palettes.light)) {
		assert.deepEqual(colours.get(name), [light, palettes.dark[name as keyof typeof palettes.dark]], name);
	}
});

type Colour = keyof typeof palettes.light;

/** Which colours stand on which, and the contrast that WCAG 2.2 asks of them: 4.5 for text, 3 for edges. */
const colourPairs: readonly (readonly [on: Colour, ground: Colour, contrast: number])[] = [
	["muted", "ground", 4.5],
	["text", "card", 4.5],
	["muted", "card", 4.5],
	["accent", "card", 4.5],
	["on-accent", "accent", 4.5],
	["bad", "card", 4.5],
	["bad", "bad-soft", 4.5],
	["warn", "warn-soft", 4.5],
	["text", "warn-soft", 4.5],
	["text", "sunken", 4.5],
	["control-edge", "card", 3],
];

test("every colour is in a pair that can be read on light and dark, by the measure of the standard, and the style has no other", () => {
	assert.equal(contrast("#777777", "#ffffff").toFixed(2), "4.48");
	for (const [on, ground, least] of colourPairs) {
		for (const [scheme, palette] of Object.entries(palettes)) {
			const found = contrast(palette[on], palette[ground]);
			assert.ok(found >= least, `${on} on ${ground}, ${scheme}: ${found.toFixed(2)}`);
		}
	}
	const paired = new Set<string>([...colourPairs.map(([on]) => on), ...colourPairs.map(([, ground]) => ground)]);
	// Colours that only separate parts need no contrast.
	const telling = Object.keys(palettes.light).filter((name) => name !== "edge");
	assert.deepEqual([...paired].sort(), telling.sort());
	const known = new Set<string>(Object.values(palettes).flatMap((palette) => Object.values(palette)));
	for (const [colour] of pageStyle.matchAll(/#[0-9a-f]{3,8}\b/gi)) assert.ok(known.has(colour), colour);
});
