import assert from "node:assert/strict";
import { test } from "node:test";
import { deriveKey, equalConstantTime, hmacHex, seal, sha256Hex, unseal } from "./crypto.ts";
import { randomAlphanumeric, randomToken, uuid } from "./ids.ts";

const key = deriveKey("the server's secret", "test");

test("digests are those of the standards", () => {
	assert.equal(sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	// RFC 4231, test case 2.
	assert.equal(
		hmacHex("Jefe", "what do ya want for nothing?"),
		"5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
	);
});

test("a sealed text opens with its key alone and only unchanged", () => {
	const sealed = seal(key, "a secret: ü");
	assert.equal(unseal(key, sealed), "a secret: ü");
	assert.notEqual(seal(key, "a secret: ü"), sealed);
	assert.equal(unseal(deriveKey("the server's secret", "other purpose"), sealed), undefined);
	assert.equal(unseal(key, `${sealed.startsWith("A") ? "B" : "A"}${sealed.slice(1)}`), undefined);
	assert.equal(unseal(key, ""), undefined);
});

test("comparison takes texts of any length", () => {
	assert.equal(equalConstantTime("same", "same"), true);
	assert.equal(equalConstantTime("same", "samE"), false);
	assert.equal(equalConstantTime("", "longer"), false);
});

test("random texts have the length and the characters that they promise", () => {
	assert.match(randomAlphanumeric(60), /^[A-Za-z0-9]{60}$/);
	assert.match(randomToken(), /^[A-Za-z0-9_-]{43}$/);
	assert.match(uuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
