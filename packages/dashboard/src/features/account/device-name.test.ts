import assert from "node:assert/strict";
import { test } from "node:test";
import { deviceOf } from "./device-name.ts";

test("browsers are told from those that they claim to be", () => {
	const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";
	for (const [userAgent, ...names] of [
		[`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0 Safari/537.36`, "Chrome", "Windows"],
		[`Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/140.0 Safari/537.36 Edg/140.0`, "Edge", "Windows"],
		[`Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) ${webkit} Version/19.0 Safari/604.1`, "Safari", "iPhone"],
		["Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox", "Linux"],
		["lightMyRequest", undefined, undefined],
		[null, undefined, undefined],
	] as const)
		assert.deepEqual(Object.values(deviceOf(userAgent)), names);
});
