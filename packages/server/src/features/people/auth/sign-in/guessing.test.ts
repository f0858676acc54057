import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { password, sharedAccountsApp } from "../../../../../test/support/accounts-app.ts";
import { postFrom } from "../../../../../test/support/from-address.ts";
import { mailbox } from "../../../../../test/support/mailbox.ts";
import { countAttempt } from "../../failure-limits/index.ts";

const home = "127.0.0.1";
const atAnAccount = { name: "sign-in-account", failures: 100, windowMs: 3_600_000 };

describe("guessing", () => {
	const app = sharedAccountsApp();

	const signIn = (ip: string, given: string, email = "ann@example.com") =>
		postFrom(app, ip, "/auth/token", { email, password: given });
	const wrong = "not the password";
	/** State after 100 wrong passwords, without the time of hashing them. */
	const failFromEverywhere = async (email = "ann@example.com", times = 100) => {
		for (let i = 0; i < times; i++) {
			await countAttempt(
				{ metadata: app.metadata, clock: app.clock, secretKey: app.config.secretKey },
				atAnAccount,
				email,
			);
		}
	};
	const newestToken = async (): Promise<string> => {
		const mail = (await mailbox(app).to("ann@example.com")).at(-1);
		const link = mail?.links.find((candidate) => candidate.includes("token="));
		return new URL(link ?? "https://no.link").searchParams.get("token") ?? "";
	};

	test("a hundred failures in an hour stop guesses from further addresses, known account or not", async () => {
		await app.user("Ann");
		for (const email of ["ann@example.com", "nobody@example.com"]) {
			await failFromEverywhere(email);
			app.clock.advance(600_000);
			const refused = await signIn("203.0.113.9", password, email);
			assert.deepEqual(
				[refused.statusCode, refused.json().error.code, refused.headers["retry-after"]],
				[429, "rate_limit_exceeded", "3000"],
			);
		}
		app.clock.advance(3_600_000);
		assert.equal((await signIn("203.0.113.9", password)).statusCode, 200);
	});

	test("failures of wrong passwords count from every address together", async () => {
		await app.user("Ann");
		await failFromEverywhere("ann@example.com", 97);
		app.clock.advance(3_599_999);
		assert.equal((await signIn("203.0.113.8", wrong)).statusCode, 401);
		assert.equal((await signIn("203.0.113.9", wrong, "ANN@example.com")).statusCode, 401);
		assert.equal((await signIn("203.0.113.10", password)).statusCode, 200);
		assert.equal((await signIn("203.0.113.11", wrong)).statusCode, 401);
		assert.equal((await signIn("203.0.113.12", wrong)).statusCode, 429);
		app.clock.advance(1);
		assert.equal((await signIn("203.0.113.12", wrong)).statusCode, 401);
	});

	test("the owner is not locked out: where a session is, and where a password was reset by mail, sign-in goes on", async () => {
		await app.user("Ann");
		await failFromEverywhere();
		assert.equal((await signIn(home, wrong)).statusCode, 401);
		assert.equal((await signIn(home, password)).statusCode, 200);

		const abroad = "198.51.100.7";
		assert.equal((await signIn(abroad, password)).statusCode, 429);
		await postFrom(app, abroad, "/auth/forgot-password", { email: "ann@example.com" });
		const body = { token: await newestToken(), new_password: "an entirely different secret 8" };
		assert.equal((await postFrom(app, abroad, "/auth/reset-password", body)).statusCode, 200);
		assert.equal((await signIn(abroad, body.new_password)).statusCode, 200);
		assert.equal((await signIn("198.51.100.8", body.new_password)).statusCode, 429);
	});

	test("the addresses of one IPv6 network count as one", async () => {
		await app.user("Ann");
		for (let i = 1; i <= 10; i++) assert.equal((await signIn(`2001:db8::${i}`, wrong)).statusCode, 401);
		assert.equal((await signIn("2001:db8::ffff", password)).statusCode, 429);
		assert.equal((await signIn("2001:db8:0:1::1", password)).statusCode, 200);
	});

	test("twenty wrong tokens in 15 minutes from an address are enough, at whatever route; a right one is not counted", async () => {
		await postFrom(app, home, "/auth/register", {
			email: "ann@example.com",
			name: "Ann",
			password,
			accept_terms: true,
		});
		const token = await newestToken();
		const made = (i: number) => `${i}`.padStart(43, "x");
		for (let i = 0; i < 10; i++) {
			assert.equal((await postFrom(app, home, "/email/verify", { token: made(i) })).statusCode, 400);
			const body = { token: made(i), new_password: "an entirely different secret 8" };
			assert.equal((await postFrom(app, home, "/auth/reset-password", body)).statusCode, 400);
		}
		const refused = await postFrom(app, home, "/email/verify", { token });
		assert.deepEqual([refused.statusCode, refused.headers["retry-after"]], [429, "900"]);
		assert.equal((await postFrom(app, "198.51.100.7", "/email/verify", { token })).statusCode, 200);
		app.clock.advance(900_000);
		assert.equal((await postFrom(app, home, "/email/verify", { token: made(1) })).statusCode, 400);
	});

	test("an address gets five mails an hour that anybody may ask for, and the answers stay the same", async () => {
		await app.user("Ann");
		const answers = [];
		for (let i = 0; i < 7; i++) {
			const response = await postFrom(app, `198.51.100.${i}`, "/auth/forgot-password", { email: "ann@example.com" });
			answers.push(response.body);
		}
		assert.equal(new Set(answers).size, 1);
		assert.equal((await mailbox(app).to("ann@example.com")).length, 5);
		app.clock.advance(3_600_000);
		await postFrom(app, home, "/auth/forgot-password", { email: "ann@example.com" });
		assert.equal((await mailbox(app).to("ann@example.com")).length, 6);
	});
});
