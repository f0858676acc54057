import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { checkPasswordPolicy, hashPassword, needsRehash, verifyPassword } from "./password-policy.ts";

const refusal = (password: string, email = "jonas@example.com"): string | undefined => {
	try {
		checkPasswordPolicy(password, email);
		return undefined;
	} catch (error) {
		assert.ok(error instanceof ServiceError);
		assert.equal(error.detail?.[0]?.field, "body.password");
		return error.detail?.[0]?.message;
	}
};

test("12 to 128 characters are needed, whatever they are", () => {
	assert.equal(refusal("elevenchars"), "must have at least 12 characters");
	assert.equal(refusal("twelve chars"), undefined);
	assert.equal(refusal("漢字漢字漢字漢字漢字漢字"), undefined);
	assert.equal(refusal("a blue b".repeat(16)), undefined);
	assert.equal(refusal(`${"a blue b".repeat(16)}c`), "must have at most 128 characters");
	assert.equal(refusal("  twelve char  "), "must have at least 12 characters");
});

test("the local part of the address may not be in it, from four characters on, nor one character alone", () => {
	assert.equal(refusal("I am JONAS the second"), "must not contain the email address");
	assert.equal(refusal("I am Ann the second", "ann@example.com"), undefined);
	assert.equal(refusal("aaaaaaaaaaaaaa"), "must not repeat one character");
});

test("common and leaked passwords are refused, with what people add to them too", () => {
	const common = [
		"administrator",
		"1qaz2wsx3edc",
		"PolniyPizdec0211",
		"Password1234",
		"password2026!",
		"!!football!!",
		"12345678dragon",
		"P@ssw0rd1234",
		"5up3rm4n5up3rm4n",
		"passwordpassword",
		"letmeinletmein1",
		"monkeymonkeymonkey",
		"123412341234",
		"  iloveyou2024  ",
	];
	for (const password of common) assert.equal(refusal(password), "is too common or was leaked elsewhere", password);
});

test("a password that only contains a common word is admitted, and so are digits that no list has", () => {
	for (const password of [
		"correct horse battery staple 7",
		"my football is round",
		"dragon and a password",
		"845920384756",
		"dragon 4920384756",
		"漢字漢字漢字漢字漢字漢字2026",
		"one\ntwo\nthree four",
	]) {
		assert.equal(refusal(password), undefined, password);
	}
});

test("a hash records Argon2id and its parameters, and only its own password fits", async () => {
	const stored = await hashPassword("a good long password");
	assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
	assert.equal(needsRehash(stored), false);
	assert.equal(needsRehash(stored.replace("t=2", "t=1")), true);
	assert.equal(await verifyPassword(stored, "a good long password"), true);
	assert.equal(await verifyPassword(stored, " a good long password "), true);
	assert.equal(await verifyPassword(stored, "another long password"), false);
	assert.equal(await verifyPassword(undefined, "no account has this password"), false);
	assert.equal(await verifyPassword(null, "a good long password"), false);
});
