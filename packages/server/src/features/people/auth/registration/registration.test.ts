import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { password, sharedAccountsApp } from "../../../../../test/support/accounts-app.ts";
import { mailbox } from "../../../../../test/support/mailbox.ts";
import { codeOf } from "../../../../../test/support/refusals.ts";
import { findUserByEmail, updateUser } from "../../users/index.ts";

const ann = { email: "Ann@Example.com", name: "Ann", password, accept_terms: true };

describe("registering", () => {
	const app = sharedAccountsApp();

	const register = (body: object = ann) => app.call("POST /auth/register", { body });
	const verify = (token: string) => app.call("POST /email/verify", { body: { token } });
	const resend = (body: object, more = {}) => app.call("POST /email/resend-verification", { body, ...more });
	const mailsTo = (address: string) => mailbox(app).to(address);
	const newestToken = async (address = "ann@example.com"): Promise<string> => {
		const link = (await mailsTo(address)).at(-1)?.links.find((candidate) => candidate.includes("token="));
		return new URL(link ?? "https://no.link").searchParams.get("token") ?? "";
	};
	const annRow = () => findUserByEmail(app.metadata, "ann@example.com");

	test("a registration makes a closed account, no session and no cookie", async () => {
		const response = await register();
		assert.equal(response.statusCode, 200);
		assert.deepEqual(response.json().data, {
			user_id: 0,
			email: "ann@example.com",
			name: "Ann",
			access_token: "",
			token_type: "bearer",
			expires_in: 0,
			requires_email_verification: true,
			requires_subscription: false,
			session_created: false,
			email_sent: true,
			message: "A mail is on its way: the link in it confirms the address and opens the account",
		});
		assert.equal(response.headers["set-cookie"], undefined);
		const signIn = await app.call("POST /auth/token", { body: { email: ann.email, password } });
		assert.deepEqual(codeOf(signIn), [403, "email_not_verified"]);
		const row = await annRow();
		assert.deepEqual(
			[row?.name, row?.role, row?.is_active, row?.email_verified_at, row?.last_login_at],
			["Ann", "user", 1, null, null],
		);
	});

	test("the mail has a subject, a link that works once, and the same as HTML", async () => {
		await register({ ...ann, name: "https://evil.example <b>You won</b>" });
		const [mail, ...more] = await mailsTo("ann@example.com");
		assert.equal(more.length, 0);
		assert.equal(mail?.subject, "Confirm your e-mail address");
		const token = await newestToken();
		assert.match(token, /^[A-Za-z0-9_-]{43}$/);
		const link = `https://stats.example/verify-email?token=${token}`;
		assert.ok(mail?.links.includes(link));
		assert.ok(mail?.text.includes(`Confirm the address:\n${link}\n`));
		assert.ok(mail?.html.includes(`<a href="${link}"`));
		assert.ok(mail?.text.includes("The link works once and for 24 hours."));
		assert.equal(`${mail?.text}${mail?.html}`.includes("evil"), false);
	});

	test("the link confirms the address and signs in with the three cookies", async () => {
		await register();
		const token = await newestToken();
		app.clock.advance(60_000);
		const response = await verify(token);
		assert.equal(response.statusCode, 200);
		const { access_token: accessToken, user, ...data } = response.json().data;
		assert.deepEqual(data, {
			message: "The e-mail address is confirmed",
			verified: true,
			token_type: "bearer",
			expires_in: 900,
		});
		assert.deepEqual(
			[user.email, user.email_verified_at, user.last_login_at],
			["ann@example.com", "2026-11-21T12:01:00.000Z", "2026-11-21T12:01:00.000Z"],
		);
		assert.equal(response.headers["cache-control"], "no-store");
		const names = response.cookies.map(({ name }) => name);
		assert.deepEqual(names, ["svc_access_token", "svc_refresh_token", "svc_csrf_token"]);
		const log = app.logLines.join("");
		for (const secret of [token, "ann@", password]) assert.equal(log.includes(secret), false, secret);
		const as = { headers: { authorization: `Bearer ${accessToken}` } };
		const status = await app.call("GET /email/verification-status", { as });
		assert.deepEqual(status.json().data, { verified: true, email: "ann@example.com" });
		assert.equal((await app.call("GET /email/verification-status")).statusCode, 401);
	});

	test("a token is refused when used, made up, expired, of another kind, replaced or of a deactivated user", async () => {
		const dead = [400, "bad_request", "The link is not valid any more"];
		const answerOf = async (token: string) => {
			const response = await verify(token);
			const { code, message } = response.json().error;
			assert.equal(response.headers["set-cookie"], undefined);
			return [response.statusCode, code, message];
		};
		await register();
		const first = await newestToken();
		await resend({ email: ann.email });
		const second = await newestToken();
		assert.notEqual(first, second);
		assert.deepEqual(await answerOf(first), dead);
		assert.equal((await verify(second)).statusCode, 200);
		assert.deepEqual(await answerOf(second), dead);
		assert.deepEqual(await answerOf("a".repeat(43)), dead);
		await app.call("POST /auth/forgot-password", { body: { email: ann.email } });
		assert.deepEqual(await answerOf(await newestToken()), dead);
		await register({ ...ann, email: "bob@example.com" });
		const late = await newestToken("bob@example.com");
		app.clock.advance(86_400_000);
		assert.deepEqual(await answerOf(late), dead);
		await register({ ...ann, email: "eve@example.com" });
		const eve = await findUserByEmail(app.metadata, "eve@example.com");
		await updateUser(app.metadata, eve?.id ?? 0, { is_active: 0 });
		assert.deepEqual(await answerOf(await newestToken("eve@example.com")), dead);
		assert.equal((await verify("too short")).json().error.detail[0].field, "body.token");
	});

	test("with a second factor the link leads to its question, without a cookie", async () => {
		await register();
		const row = await annRow();
		await updateUser(app.metadata, row?.id ?? 0, { two_factor_enabled_at: 1 });
		const response = await verify(await newestToken());
		const { requires_2fa: asked, access_token: token, expires_in: seconds } = response.json().data;
		assert.deepEqual([response.statusCode, asked, token, seconds], [200, true, undefined, 300]);
		assert.equal(response.headers["set-cookie"], undefined);
	});

	test("a known address gets the same bytes, keeps its account as it is, and is told by mail", async () => {
		const bytes = async (body: object) => {
			const response = await register(body);
			return `${response.statusCode}${response.body}`.replace(/"timestamp":"[^"]+"/, "");
		};
		const fresh = await bytes(ann);
		const before = await annRow();
		const other = { ...ann, password: "another long password 7" };
		assert.equal(await bytes({ ...other, email: "ann@example.com" }), fresh);
		assert.deepEqual(await annRow(), before);
		const repeated = (await mailsTo("ann@example.com")).at(-1);
		assert.equal(repeated?.subject, "Confirm your e-mail address");
		assert.ok(repeated?.text.includes("the password is still the one that was given first"));

		assert.equal((await verify(await newestToken())).statusCode, 200);
		const verified = await annRow();
		assert.equal(await bytes(other), fresh);
		assert.deepEqual(await annRow(), verified);
		const notice = (await mailsTo("ann@example.com")).at(-1);
		assert.equal(notice?.subject, "Your e-mail address was used to register");
		assert.deepEqual(
			notice?.links.filter((link) => link.includes("token")),
			[],
		);
		const signIn = (given: string) => app.call("POST /auth/token", { body: { email: ann.email, password: given } });
		assert.equal((await signIn(other.password)).statusCode, 401);
		assert.equal((await signIn(password)).statusCode, 200);

		await updateUser(app.metadata, verified?.id ?? 0, { is_active: 0, email_verified_at: null });
		assert.equal(await bytes(ann), fresh);
		assert.equal((await mailsTo("ann@example.com")).at(-1)?.subject, "Your e-mail address was used to register");
	});

	test("the terms must be accepted, and faulty fields are named", async () => {
		const refused = await register({ ...ann, accept_terms: false });
		assert.deepEqual(codeOf(refused), [400, "bad_request"]);
		const fieldsOf = async (body: object) => {
			const response = await register(body);
			assert.equal(response.statusCode, 422, response.body);
			return response.json().error.detail.map(({ field }: { field: string }) => field);
		};
		assert.deepEqual((await fieldsOf({})).sort(), ["body.accept_terms", "body.email", "body.name", "body.password"]);
		const faults: [object, string][] = [
			[{ email: "no address" }, "body.email"],
			[{ email: "ann@localhost" }, "body.email"],
			[{ email: "a\u0000nn@example.com" }, "body.email"],
			[{ name: " " }, "body.name"],
			[{ name: "a".repeat(256) }, "body.name"],
			[{ name: "Ann\r\nBcc: bob@example.com" }, "body.name"],
			[{ password: "elevenchars" }, "body.password"],
			[{ password: "a".repeat(129) }, "body.password"],
			[{ password: "Password1234" }, "body.password"],
			[{ email: "longname@example.com", password: "my LongName is this" }, "body.password"],
			[{ accept_terms: "true" }, "body.accept_terms"],
		];
		for (const [fault, field] of faults) {
			assert.deepEqual(await fieldsOf({ ...ann, ...fault }), [field], JSON.stringify(fault));
		}
		assert.equal(await annRow(), undefined);
	});

	test("the link is mailed again to an address that waits, with one answer for every address", async () => {
		await register();
		await app.user("Bob");
		const answers = [];
		for (const email of ["ann@example.com", "bob@example.com", "nobody@example.com"]) {
			const response = await resend({ email });
			answers.push(`${response.statusCode}${response.body}`.replace(/"timestamp":"[^"]+"/, ""));
		}
		assert.equal(new Set(answers).size, 1, answers.join("\n"));
		assert.match(answers[0] ?? "", /^200.*If the address waits to be confirmed/);
		assert.equal((await mailsTo("ann@example.com")).length, 2);
		assert.equal((await mailbox(app).all()).length, 2);
		assert.equal((await verify(await newestToken())).statusCode, 200);
	});

	test("a session may leave its address out, nobody else, and a credential that is not valid is none", async () => {
		const bob = await app.user("Bob");
		await updateUser(app.metadata, bob.id, { email_verified_at: null });
		assert.equal((await resend({}, { as: bob })).statusCode, 200);
		assert.equal((await app.call("POST /email/resend-verification", { as: bob })).statusCode, 200);
		const { svc_access_token: access = "", svc_csrf_token: csrf = "" } = bob.cookies;
		const cookies = { svc_access_token: access, svc_csrf_token: csrf };
		assert.equal((await resend({}, { cookies, headers: { "x-csrf-token": csrf } })).statusCode, 200);
		assert.equal((await mailsTo("bob@example.com")).length, 3);
		const bad = { headers: { authorization: "Bearer nonsense" } };
		for (const more of [{}, { cookies }, bad]) {
			const response = await resend({}, more);
			assert.deepEqual([response.statusCode, response.json().error.detail[0].field], [422, "body.email"]);
		}
		assert.equal((await resend({ email: "bob@example.com" }, bad)).statusCode, 200);
		assert.equal((await mailsTo("bob@example.com")).length, 4);
	});
});
