import assert from "node:assert/strict";
import { test } from "node:test";
import { embedAddress, embedCode } from "./embed-code.ts";

const url = "https://stats.example/share/abc";

test("the address for a frame says how it is to look, and nothing where the reader decides", () => {
	assert.equal(
		embedAddress(url, { theme: "auto", lang: "auto", isWithoutMap: false }),
		"https://stats.example/embed/abc",
	);
	assert.equal(
		embedAddress(url, { theme: "dark", lang: "es", isWithoutMap: true }),
		"https://stats.example/embed/abc?theme=dark&lang=es&hide=map",
	);
});

test("the code takes the height from this service alone", () => {
	const code = embedCode(url, { theme: "dark", lang: "es", isWithoutMap: false }, "Report");
	assert.match(code, /src="https:\/\/stats\.example\/embed\/abc\?theme=dark&amp;lang=es"/);
	assert.match(code, /origin !== "https:\/\/stats\.example"/);
});
