import assert from "node:assert/strict";
import { test } from "node:test";
import { botFlagBits, botFlagNames, botFlags, botScore } from "./bot-flags.ts";

test("the bits of stored flags never change", () => {
	assert.deepEqual(botFlagBits, {
		empty_user_agent: 1,
		known_bot_pattern: 2,
		headless_user_agent: 4,
		suspicious_user_agent: 8,
		platform_mismatch: 16,
		mobile_mismatch: 32,
		sec_fetch_inconsistent: 64,
		missing_client_hints: 128,
		missing_sec_fetch: 256,
		missing_accept_language: 512,
		incomplete_accept_encoding: 1024,
	});
});

test("the weights are those of the contract, and fit the stored bit set of 16", () => {
	assert.deepEqual(
		botFlags.map(({ weight }) => weight),
		[90, 85, 70, 50, 40, 35, 30, 25, 25, 20, 15],
	);
	assert.ok(botFlags.length <= 16);
});

test("a set of flags has names and a score of at most 100", () => {
	assert.deepEqual(botFlagNames(0), []);
	assert.deepEqual(botFlagNames(512 + 16), ["platform_mismatch", "missing_accept_language"]);
	assert.equal(botScore(0), 0);
	assert.equal(botScore(512 + 16), 60);
	assert.equal(botScore(1 + 2), 100);
});
