import assert from "node:assert/strict";
import { test } from "node:test";
import { readKey } from "./key-file.ts";

test("the project is guessed from a key, and what is no key is none", () => {
	const key = { type: "service_account", client_email: "a@b.example", private_key: "k", project_id: "shop-project" };
	const { email, project } = readKey(JSON.stringify(key)) ?? {};
	assert.deepEqual([email, project], ["a@b.example", "shop-project"]);
	for (const text of ["", "{", "[]", "null", JSON.stringify({ ...key, type: "authorized_user" }), "{}"]) {
		assert.equal(readKey(text), undefined, text);
	}
});
