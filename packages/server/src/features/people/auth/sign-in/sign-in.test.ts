import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { password, sharedAccountsApp } from "../../../../../test/support/accounts-app.ts";
import { mailbox } from "../../../../../test/support/mailbox.ts";
import { codeOf } from "../../../../../test/support/refusals.ts";
import { countAttempt } from "../../failure-limits/index.ts";
import { updateUser } from "../../users/index.ts";

const home = "127.0.0.1";
const wrong = "not the password";
const next = "an entirely different secret 8";
const email = "ann@example.com";

describe("signing in", () => {
	const app = sharedAccountsApp();

	const postFrom = (ip: string, path: string, payload: object) =>
		app.inject({ method: "POST", url: `/api/v1${path}`, payload, remoteAddress: ip });
	const signIn = (given: string, ip = home, address = email) =>
		postFrom(ip, "/auth/token", { email: address, password: given });
	/** State after so many wrong passwords, without the time of hashing them. */
	const failFromEverywhere = async (times: number, address = email) => {
		const limit = { name: "sign-in-account", failures: 100, windowMs: 3_600_000 };
		const deps = { metadata: app.metadata, clock: app.clock, secretKey: app.config.secretKey };
		for (let i = 0; i < times; i++) await countAttempt(deps, limit, address);
	};
	const newestToken = async (): Promise<string> => {
		const link = (await mailbox(app).to(email)).at(-1)?.links.find((candidate) => candidate.includes("token="));
		return new URL(link ?? "https://no.link").searchParams.get("token") ?? "";
	};

	test("email and password give an access token of 15 minutes, the user and three cookies", async () => {
		const ann = await app.user("Ann");
		const site = await app.site(ann);
		app.clock.advance(1000);
		const response = await signIn(password, home, "ANN@example.com");
		const { access_token: token, user, ...data } = response.json().data;
		assert.deepEqual(data, {
			token_type: "bearer",
			expires_in: 900,
			ip_filtered_accounts: [],
			client_ip: "127.0.0.1",
		});
		assert.deepEqual(user, {
			id: 1,
			email,
			name: "Ann",
			role: "user",
			account_ids: [site],
			is_active: true,
			email_verified_at: "2026-11-21T12:00:00.000Z",
			last_login_at: "2026-11-21T12:00:01.000Z",
			created_at: "2026-11-21T12:00:00.000Z",
			two_factor_enabled: false,
			two_factor_enabled_at: null,
		});
		assert.equal(response.headers["cache-control"], "no-store");
		assert.deepEqual(
			[response.headers["set-cookie"]].flat().map((cookie) => String(cookie).replace(/=[^;]+/, "=…")),
			[
				"svc_access_token=…; Max-Age=900; Path=/; HttpOnly; Secure; SameSite=Lax",
				"svc_refresh_token=…; Max-Age=2592000; Path=/api/v1/auth; HttpOnly; Secure; SameSite=Strict",
				"svc_csrf_token=…; Max-Age=2592000; Path=/; Secure; SameSite=Lax",
			],
		);
		const { sid, ...claims } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
		assert.match(sid, /^[0-9a-f-]{36}$/);
		const subject = { sub: "1", email, role: "user", account_ids: [site], scopes: ["read", "write", "billing:manage"] };
		assert.deepEqual(claims, { ...subject, aud: "footfall:session", iat: 1795262401, exp: 1795263301 });
	});

	test("a wrong password, an unknown address and a deactivated user answer alike and leave nothing in the log", async () => {
		const ann = await app.user("Ann");
		const answers = [await signIn(wrong), await signIn(password, home, "nobody@example.com")];
		await app.call("GET /auth/me", { as: ann });
		await updateUser(app.metadata, ann.id, { is_active: 0 });
		answers.push(await signIn(password));
		for (const answer of answers) {
			const { code, message } = answer.json().error;
			assert.deepEqual([answer.statusCode, code, message], [401, "invalid_credentials", "Email or password is wrong"]);
		}
		const log = app.logLines.join("");
		for (const secret of ["ann@", password, wrong, ann.token, "127.0.0.1"]) assert.ok(!log.includes(secret), secret);
	});

	test("an address that is not verified is told so, once the password is right", async () => {
		await updateUser(app.metadata, (await app.user("Ann")).id, { email_verified_at: null });
		assert.deepEqual(codeOf(await signIn(password)), [403, "email_not_verified"]);
		assert.deepEqual(codeOf(await signIn(wrong)), [401, "invalid_credentials"]);
	});

	test("after ten failures in 15 minutes even the right password has to wait; a success forgets those before it", async () => {
		await app.user("Ann");
		await app.user("Bob");
		for (let i = 0; i < 9; i++) await signIn(wrong);
		assert.equal((await signIn(password)).statusCode, 200);
		const tries = await Promise.all(Array.from({ length: 10 }, () => signIn(wrong)));
		assert.ok(tries.every(({ statusCode }) => statusCode === 401));
		app.clock.advance(60_000);
		const refused = await signIn(password);
		assert.deepEqual([...codeOf(refused), refused.headers["retry-after"]], [429, "rate_limit_exceeded", "840"]);
		assert.equal(refused.json().error.message, "Too many requests. Try again in 840 seconds.");
		assert.equal((await signIn(password, home, "bob@example.com")).statusCode, 200);
		app.clock.advance(840_000);
		assert.equal((await signIn(password)).statusCode, 200);
	});

	test("a hundred failures in an hour stop guesses from further addresses, known account or not", async () => {
		await app.user("Ann");
		for (const address of [email, "nobody@example.com"]) {
			await failFromEverywhere(100, address);
			app.clock.advance(600_000);
			const refused = await signIn(password, "203.0.113.9", address);
			assert.deepEqual([...codeOf(refused), refused.headers["retry-after"]], [429, "rate_limit_exceeded", "3000"]);
		}
		app.clock.advance(3_600_000);
		assert.equal((await signIn(password, "203.0.113.9")).statusCode, 200);
	});

	test("failures of wrong passwords count from every address together", async () => {
		await app.user("Ann");
		await failFromEverywhere(97);
		app.clock.advance(3_599_999);
		const given = [wrong, wrong, password, wrong, wrong];
		const answers: number[] = [];
		for (const [at, one] of given.entries()) {
			answers.push((await signIn(one, `203.0.113.${at}`, at === 1 ? "ANN@example.com" : email)).statusCode);
		}
		assert.deepEqual(answers, [401, 401, 200, 401, 429]);
		app.clock.advance(1);
		assert.equal((await signIn(wrong, "203.0.113.12")).statusCode, 401);
	});

	test("the owner is not locked out: where a session is, and where a password was reset by mail, sign-in goes on", async () => {
		await app.user("Ann");
		await failFromEverywhere(100);
		assert.deepEqual([(await signIn(wrong)).statusCode, (await signIn(password)).statusCode], [401, 200]);
		const abroad = "198.51.100.7";
		assert.equal((await signIn(password, abroad)).statusCode, 429);
		await postFrom(abroad, "/auth/forgot-password", { email });
		const body = { token: await newestToken(), new_password: next };
		assert.equal((await postFrom(abroad, "/auth/reset-password", body)).statusCode, 200);
		assert.equal((await signIn(next, abroad)).statusCode, 200);
		assert.equal((await signIn(next, "198.51.100.8")).statusCode, 429);
	});

	test("the addresses of one IPv6 network count as one", async () => {
		await app.user("Ann");
		for (let i = 1; i <= 10; i++) assert.equal((await signIn(wrong, `2001:db8::${i}`)).statusCode, 401);
		assert.equal((await signIn(password, "2001:db8::ffff")).statusCode, 429);
		assert.equal((await signIn(password, "2001:db8:0:1::1")).statusCode, 200);
	});

	test("twenty wrong tokens in 15 minutes from an address are enough, at whatever route; a right one is not counted", async () => {
		await postFrom(home, "/auth/register", { email, name: "Ann", password, accept_terms: true });
		const token = await newestToken();
		const verify = (given: string, ip = home) => postFrom(ip, "/email/verify", { token: given });
		for (let i = 0; i < 10; i++) {
			const made = `${i}`.padStart(43, "x");
			assert.equal((await verify(made)).statusCode, 400);
			const reset = await postFrom(home, "/auth/reset-password", { token: made, new_password: next });
			assert.equal(reset.statusCode, 400);
		}
		const refused = await verify(token);
		assert.deepEqual([refused.statusCode, refused.headers["retry-after"]], [429, "900"]);
		assert.equal((await verify(token, "198.51.100.7")).statusCode, 200);
		app.clock.advance(900_000);
		assert.equal((await verify("x".repeat(43))).statusCode, 400);
	});

	test("an address gets five mails an hour that anybody may ask for, and the answers stay the same", async () => {
		await app.user("Ann");
		const forgot = (ip: string) => postFrom(ip, "/auth/forgot-password", { email });
		const answers = new Set<string>();
		for (let i = 0; i < 7; i++) answers.add((await forgot(`198.51.100.${i}`)).body);
		assert.deepEqual([answers.size, (await mailbox(app).to(email)).length], [1, 5]);
		app.clock.advance(3_600_000);
		await forgot(home);
		assert.equal((await mailbox(app).to(email)).length, 6);
	});
});
