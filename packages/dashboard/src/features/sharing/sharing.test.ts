import assert from "node:assert/strict";
import { test } from "node:test";
import { embedAddress, embedCode } from "./embed-code.ts";
import { dayOfEnd, endOfDay } from "./end-of-day.ts";

const url = "https://stats.example/share/abc";

test("the address for a frame says how it is to look, and nothing where the reader decides; its code takes the height from this service alone", () => {
	const frame = "https://stats.example/embed/abc";
	assert.equal(embedAddress(url, { theme: "auto", lang: "auto", isWithoutMap: false }), frame);
	const spanish = { theme: "dark", lang: "es", isWithoutMap: true } as const;
	assert.equal(embedAddress(url, spanish), `${frame}?theme=dark&lang=es&hide=map`);
	const code = embedCode(url, spanish, "Report");
	assert.ok(code.includes(`src="${frame}?theme=dark&amp;lang=es&amp;hide=map"`));
	assert.match(code, /origin !== "https:\/\/stats\.example"/);
});

test("a link lasts until its last day is over, and is edited with that day", () => {
	for (const day of ["2026-12-24", "2026-03-29"]) assert.equal(dayOfEnd(endOfDay(day)), day);
	assert.equal(dayOfEnd(null), "");
	assert.equal(new Date(endOfDay("2026-12-24")).getHours(), 23);
});
