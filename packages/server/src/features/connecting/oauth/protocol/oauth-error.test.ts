import assert from "node:assert/strict";
import { test } from "node:test";
import { OAuthError, oauthErrorBody } from "./parameters.ts";

test("a description has the characters that RFC 6749 allows it, whatever was said", () => {
	const said = 'must be "code", C:\\ or é\n';
	const told = "must be 'code', C:' or ??";
	assert.equal(new OAuthError("invalid_request", said).message, told);
	assert.deepEqual(oauthErrorBody("invalid_request", said), { error: "invalid_request", error_description: told });
});
