import assert from "node:assert/strict";
import { test } from "node:test";
import { createSealer, createValueSealer } from "./sealer.ts";

const first = { secretKey: "a secret of an earlier release, 32 characters", secretKeyPrevious: undefined };
const changing = { secretKey: "another secret, and long enough too", secretKeyPrevious: first.secretKey };
const changed = { ...changing, secretKeyPrevious: undefined };

// Made by the code before `createSealer`: values in stores and mails must stay readable.
const pinned = "zwhnOp_piC2HAd_XEvjnAPGF63NRGhG92GuLsa3ef893hYk";
const pinnedToken = "k_CHe8nlegNHX4v9BztNyq6cZ0UdqjkL44IF0QyKNYEaFCpJOzAc8mRg96e32WY2WJFlR1Lt";

test("what earlier releases sealed opens, with the secret of then and as the secret before the present one", () => {
	for (const secrets of [first, changing]) {
		assert.equal(createSealer(secrets, "webhook").open("wh_1", pinned), "whsec_1");
		assert.deepEqual(createValueSealer(secrets, "mail-reports").open(pinnedToken), ["shop", "ann@example.org"]);
	}
});

test("a sealed text stays shut under another id, purpose or secret, and when it was changed", () => {
	const sealed = createSealer(first, "webhook").seal("wh_1", "a secret: ü");
	assert.equal(createSealer(first, "webhook").open("wh_1", sealed), "a secret: ü");
	assert.equal(createSealer(first, "webhook").open("wh_2", sealed), undefined);
	assert.equal(createSealer(first, "export").open("wh_1", sealed), undefined);
	assert.equal(createSealer(changed, "webhook").open("wh_1", sealed), undefined);
	assert.equal(createSealer(first, "webhook").open("wh_1", `${sealed.slice(0, -2)}AA`), undefined);
	assert.equal(createValueSealer(first, "mail").open(pinnedToken), undefined);
});

test("resealing leaves what the present secret sealed, seals anew what the one before did, and tells what is lost", () => {
	const sealer = createSealer(changing, "webhook");
	const resealed = sealer.reseal("wh_1", pinned);
	assert.ok(resealed !== undefined && resealed !== pinned);
	assert.equal(createSealer(changed, "webhook").open("wh_1", resealed), "whsec_1");
	assert.equal(sealer.reseal("wh_1", resealed), resealed);
	assert.equal(createSealer(changed, "webhook").reseal("wh_1", pinned), undefined);
});
