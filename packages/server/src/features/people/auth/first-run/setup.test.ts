import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { password, sharedAccountsApp } from "../../../../../test/support/accounts-app.ts";
import { createFirstRunLink } from "./first-run.ts";

describe("the first-run link", () => {
	const app = sharedAccountsApp();

	const link = () => createFirstRunLink({ ...app, rootUrl: "http://127.0.0.1:3000" });
	const newToken = async () => new URL((await link()) ?? "").searchParams.get("token") ?? "";
	const form = (token: string) => app.inject({ method: "GET", url: `/setup?token=${token}` });
	const send = (fields: Record<string, string>) =>
		app.inject({
			method: "POST",
			url: "/setup",
			headers: { "content-type": "application/x-www-form-urlencoded" },
			payload: new URLSearchParams(fields).toString(),
		});
	const fields = (token: string) => ({ token, name: "Ann", email: "ann@example.com", password });

	test("it opens a form without script that may not be framed, cached or leak its address", async () => {
		const token = await newToken();
		assert.match(token, /^[A-Za-z0-9_-]{43}$/);
		const response = await form(token);
		const { "cache-control": kept, "referrer-policy": told } = response.headers;
		assert.deepEqual([response.statusCode, kept, told], [200, "no-store", "no-referrer"]);
		assert.match(
			String(response.headers["content-security-policy"]),
			/^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
		);
		assert.doesNotMatch(response.body, /<script/);
		assert.match((await form("forged")).body, /This link is no longer valid/);
	});

	test("it creates a superadmin who can sign in, once", async () => {
		const token = await newToken();
		const done = await send(fields(token));
		assert.equal(done.statusCode, 200);
		const steps = ["sites create", "sites check", "tokens create --user ann@example.com"];
		for (const step of steps) assert.ok(done.body.includes(`./footfall ${step}`), step);
		const { user } = (await app.call("POST /auth/token", { body: { email: "ann@example.com", password } })).json().data;
		assert.equal(user.role, "superadmin");
		assert.equal((await form(token)).statusCode, 404);
		assert.equal((await send({ ...fields(token), email: "eve@example.com" })).statusCode, 404);
		assert.equal(await link(), undefined);
	});

	test("a new link ends the one before, a superadmin from elsewhere ends them all, and another user none", async () => {
		const first = await newToken();
		const second = await newToken();
		assert.equal((await form(first)).statusCode, 404);
		assert.equal((await form(second)).statusCode, 200);
		await app.user("Bob");
		assert.equal((await form(second)).statusCode, 200);
		await app.user("Root", "superadmin");
		assert.equal((await form(second)).statusCode, 404);
		assert.equal((await send(fields(second))).statusCode, 404);
	});

	test("a faulty form comes back with what is wrong and without the password; the link lives on", async () => {
		const token = await newToken();
		const response = await send({ ...fields(token), name: '"><script>', password: "short" });
		assert.equal(response.statusCode, 422);
		assert.match(response.body, /The password must have at least 12 characters\./);
		assert.match(response.body, /value="&quot;&gt;&lt;script&gt;"/);
		assert.doesNotMatch(response.body, /short/);
		assert.match((await send({ ...fields(token), email: "nonsense" })).body, /The email address must be an email/);
		assert.match((await send({ ...fields(token), name: "A\u0000" })).body, /The name must/);
		assert.equal((await send(fields(token))).statusCode, 200);
	});
});
