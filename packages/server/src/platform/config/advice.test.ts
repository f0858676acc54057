import assert from "node:assert/strict";
import { test } from "node:test";
import { adviceFor } from "./advice.ts";
import { loadConfig } from "./config.ts";

const advised = (env: Record<string, string>) => adviceFor(loadConfig(env)).map(({ variable }) => variable);

test("plain HTTP from other machines with secure cookies is warned of, HTTPS and the machine itself are not", () => {
	assert.deepEqual(advised({ PUBLIC_URL: "http://stats.lan:3000" }), ["COOKIE_SECURE"]);
	assert.deepEqual(advised({ HOST: "0.0.0.0" }), ["PUBLIC_URL"]);
	for (const env of [
		{},
		{ HOST: "::1" },
		{ HOST: "0.0.0.0", PUBLIC_URL: "https://stats.example.com" },
		{ HOST: "0.0.0.0", PUBLIC_URL: "http://localhost:3000" },
		{ PUBLIC_URL: "http://127.0.0.1:8080" },
		{ PUBLIC_URL: "http://[::1]:8080" },
		{ PUBLIC_URL: "http://stats.lan", COOKIE_SECURE: "false" },
	]) {
		assert.deepEqual(advised(env), [], JSON.stringify(env));
	}
});
