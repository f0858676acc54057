import assert from "node:assert/strict";
import { test } from "node:test";
import { colourPairs, pageStyle, palettes } from "./page-style.ts";

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

test("the measure is that of the standard", () => {
	assert.equal(contrast("#ffffff", "#000000"), 21);
	assert.equal(contrast("#777777", "#ffffff").toFixed(2), "4.48");
});

for (const scheme of ["light", "dark"] as const) {
	test(`every pair of colours can be read on ${scheme}`, () => {
		for (const [on, ground, least] of colourPairs) {
			const found = contrast(palettes[scheme][on], palettes[scheme][ground]);
			assert.ok(found >= least, `${on} on ${ground}: ${found.toFixed(2)}`);
		}
	});
}

test("every colour of the palette is in a pair, and the style has no other colour", () => {
	const paired = new Set<string>([...colourPairs.map(([on]) => on), ...colourPairs.map(([, ground]) => ground)]);
	assert.deepEqual([...paired].sort(), Object.keys(palettes.light).sort());
	const known = new Set<string>(Object.values(palettes).flatMap((palette) => Object.values(palette)));
	for (const [colour] of pageStyle.matchAll(/#[0-9a-f]{3,8}\b/gi)) assert.ok(known.has(colour), colour);
});
