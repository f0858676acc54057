import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const css = readFileSync(new URL("tokens.css", import.meta.url), "utf8");
const colours = new Map(
	[...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(([, name, light, dark]) => [
		name ?? "",
		{ light: light ?? "", dark: dark ?? "" },
	]),
);

/** Relative luminance, as WCAG 2.2 defines it. */
function luminance(colour: string): number {
	const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
		const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
		return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
	const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
	return (lighter + 0.05) / (darker + 0.05);
}

/** Which colours stand on which, and the contrast that WCAG 2.2 asks: 4.5 for text, 3 for edges and drawings. */
const pairs: readonly (readonly [on: string, grounds: readonly string[], least: number])[] = [
	["text", ["ground", "card", "sunken", "accent-soft"], 4.5],
	["muted", ["ground", "card", "sunken", "accent-soft"], 4.5],
	["accent", ["ground", "card", "accent-soft"], 4.5],
	["on-accent", ["accent"], 4.5],
	["good", ["card", "good-soft"], 4.5],
	["bad", ["card", "bad-soft"], 4.5],
	["warn", ["card", "warn-soft"], 4.5],
	["control-edge", ["ground", "card"], 3],
	...[1, 2, 3, 4, 5, 6, 7, 8].map((number) => [`series-${number}`, ["card"], 3] as const),
];

test("texts, edges and lines stand out from what is behind them, in light and in dark", () => {
	const poor = pairs.flatMap(([on, grounds, least]) =>
		grounds.flatMap((ground) =>
			(["light", "dark"] as const).flatMap((scheme) => {
				const [front, back] = [colours.get(on)?.[scheme], colours.get(ground)?.[scheme]];
				assert.ok(front && back, `${on} on ${ground}`);
				const found = contrast(front, back);
				return found < least ? [`${on} on ${ground}, ${scheme}: ${found.toFixed(2)} of ${least}`] : [];
			}),
		),
	);
	assert.deepEqual(poor, []);
});
