import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { password, type SignedIn, sharedAccountsApp, userForEach } from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { mailbox, mailedToken } from "../../../../test/support/mailbox.ts";
import { pageClient } from "../../../../test/support/page-client.ts";
import { codeOf, fieldsOf } from "../../../../test/support/refusals.ts";
import { issueOneTimeToken } from "../one-time-tokens/index.ts";
import { findUser, updateUser } from "../users/index.ts";

const DAY_MS = 86_400_000;
const next = "an entirely different secret 8";
const newAddress = "anna@example.org";

const app = sharedAccountsApp();
const ann = userForEach(app, "Ann");

describe("passwords", () => {
	const forgot = (email = ann.email) => app.call("POST /auth/forgot-password", { body: { email } });
	const reset = (token: string, newPassword = next) =>
		app.call("POST /auth/reset-password", { body: { token, new_password: newPassword } });
	const change = (as: SignedIn, current: string, newPassword = next) =>
		app.call("POST /users/me/password", { as, body: { current_password: current, new_password: newPassword } });
	const signIn = (given: string) => app.call("POST /auth/token", { body: { email: ann.email, password: given } });
	const me = async (as: SignedIn) => (await app.call("GET /auth/me", { as })).statusCode;
	const newestMail = async () => (await mailbox(app).to(ann.email)).at(-1);

	test("only an active account gets a mail", async () => {
		await updateUser(app.metadata, (await app.user("Off")).id, { is_active: 0 });
		for (const name of ["ANN", "off", "nobody"]) assert.equal((await forgot(`${name}@example.com`)).statusCode, 200);
		const [mail, ...others] = await mailbox(app).all();
		assert.deepEqual([mail?.to, mail?.subject, others.length], ["ann@example.com", "Choose a new password", 0]);
		const link = `https://stats.example/reset-password?token=${await mailedToken(app, ann.email)}`;
		assert.ok(mail?.text.includes(`Choose a new password:\n${link}\n`) && mail.html.includes(`<a href="${link}"`));
		assert.ok(mail?.text.includes("once, within one hour"));
		const { message } = (await forgot("nobody@example.com")).json().data;
		assert.match(message, /^This server doesn't send email. If the address has an account, its operator finds a link/);
		assert.deepEqual(fieldsOf(await forgot("no address")), [422, "body.email"]);
	});

	test("a reset sets the password, ends every session and half-done sign-in, keeps the second factor, and tells by mail", async () => {
		const second = await app.signIn(ann.email);
		const made = await app.call("POST /api-tokens", { as: second, body: { name: "Nightly https://evil.example" } });
		await forgot();
		const token = await mailedToken(app, ann.email);
		await updateUser(app.metadata, ann.id, { two_factor_enabled_at: 1 });
		const challenge_token = (await signIn(password)).json().data.challenge_token;
		const response = await reset(token);
		assert.deepEqual(response.json().data, { message: "The password was changed", sessions_terminated: 2 });
		assert.equal(response.headers["set-cookie"], undefined);
		assert.deepEqual([await me(ann), await me(second), (await signIn(password)).statusCode], [401, 401, 401]);
		assert.equal((await signIn(next)).json().data.requires_2fa, true);
		const halfDone = await app.call("POST /2fa/verify-login", { body: { challenge_token, code: "000000" } });
		assert.deepEqual(codeOf(halfDone), [401, "token_invalid"]);
		const notice = await newestMail();
		assert.equal(notice?.subject, "Your password was changed");
		const { token_prefix: prefix } = made.json().data;
		assert.ok(notice?.text.includes(`Nightly [link] (${prefix}…)`), "keys that go on are named");
		const [entry] = await auditTrail(app, "user.password_reset");
		assert.deepEqual([entry?.user, entry?.details], [ann.id, { sessions_terminated: 2 }]);
		const log = app.logLines.join("");
		for (const secret of [token, next, password, "ann@"]) assert.ok(!log.includes(secret), secret);
	});

	test("a reset confirms an address that was not, because its mail arrived", async () => {
		await updateUser(app.metadata, ann.id, { email_verified_at: null });
		await forgot();
		assert.equal((await reset(await mailedToken(app, ann.email))).statusCode, 200);
		assert.equal((await signIn(next)).statusCode, 200);
		assert.equal((await auditTrail(app, "user.email_verified")).length, 1);
	});

	test("a password against the policy is refused by its field and leaves the link alive", async () => {
		const { email } = await app.user("Annabel");
		await forgot(email);
		const token = await mailedToken(app, email);
		assert.deepEqual(fieldsOf(await reset(token, "this is annabel speaking")), [422, "body.new_password"]);
		assert.equal((await reset(token)).statusCode, 200);
	});

	test("a user who knows the password replaces it, which ends all other sessions and open reset links", async () => {
		await forgot();
		const link = await mailedToken(app, ann.email);
		const second = await app.signIn(ann.email);
		await app.signIn(ann.email);
		const response = await change(second, password);
		assert.deepEqual(response.json().data, { message: "The password was changed", sessions_terminated: 2 });
		assert.deepEqual([await me(ann), await me(second)], [401, 200]);
		assert.deepEqual([(await reset(link)).statusCode, (await signIn(next)).statusCode], [400, 200]);
		assert.equal((await newestMail())?.subject, "Your password was changed");
		assert.equal((await auditTrail(app, "user.password_changed"))[0]?.user, ann.id);
	});

	test("a wrong current password is 400 and counts as a failed sign-in, so that a borrowed session cannot guess", async () => {
		for (let i = 0; i < 10; i++) assert.deepEqual(codeOf(await change(ann, "not the password")), [400, "bad_request"]);
		assert.equal((await change(ann, password)).statusCode, 429);
		app.clock.advance(900_001);
		const again = await app.signIn(ann.email);
		assert.deepEqual(fieldsOf(await change(again, password, "Password1234")), [422, "body.new_password"]);
	});

	test("a user's name is changed, and recorded when it differs", async () => {
		const patch = (name: string) => app.call("PATCH /users/me", { as: ann, body: { name } });
		assert.equal((await patch("  Anna ")).json().data.name, "Anna");
		await patch("Anna");
		const entries = (await auditTrail(app, "user.updated")).map(({ user, details }) => [user, details]);
		assert.deepEqual(entries, [[ann.id, { name: ["Ann", "Anna"] }]]);
	});

	test("a user who never chose has the usual preferences; a choice stays, each user's own", async () => {
		const read = async (as: SignedIn) => (await app.call("GET /users/me/preferences", { as })).json().data;
		const change = (body: object) => app.call("PATCH /users/me/preferences", { as: ann, body });
		const usual = {
			language: "en",
			theme: "system",
			week_start: "monday",
			density: "comfortable",
			default_site: null,
			pinned_sites: [],
			shortcuts: true,
		};
		assert.deepEqual(await read(ann), usual);
		const chosen = { ...usual, theme: "dark", pinned_sites: ["shop", "blog"] };
		assert.deepEqual((await change({ theme: "dark", pinned_sites: ["shop", "blog"] })).json().data, chosen);
		await change({ language: "es" });
		assert.deepEqual([await read(ann), await read(await app.user("Bob"))], [{ ...chosen, language: "es" }, usual]);
	});
});

describe("mailed links", () => {
	const links = {
		"that confirms an address": {
			owner: "Bob",
			send: (email: string) => app.call("POST /email/resend-verification", { body: { email } }),
			use: (token: string) => app.call("POST /email/verify", { body: { token } }),
			otherKind: "password_reset",
			lifeMs: DAY_MS,
		},
		"that sets a password": {
			owner: "Cleo",
			send: (email: string) => app.call("POST /auth/forgot-password", { body: { email } }),
			use: (token: string) => app.call("POST /auth/reset-password", { body: { token, new_password: next } }),
			otherKind: "email_verification",
			lifeMs: 3_600_000,
		},
	} as const;

	test("a mailed token is refused when used, made up, expired, of another kind, replaced or of a deactivated user", async () => {
		for (const [link, { owner, send, use, otherKind, lifeMs }] of Object.entries(links)) {
			const { id, email } = await app.user(owner);
			const newToken = async () => {
				await updateUser(app.metadata, id, { email_verified_at: null });
				await send(email);
				return mailedToken(app, email);
			};
			const assertDead = async (token: string, what: string) => {
				const response = await use(token);
				const { code, message } = response.json().error;
				const told = [response.statusCode, code, message, response.headers["set-cookie"]];
				assert.deepEqual(told, [400, "bad_request", "The link is no longer valid", undefined], `${what} ${link}`);
			};
			const [first, second] = [await newToken(), await newToken()];
			await assertDead(first, "replaced");
			assert.equal((await use(second)).statusCode, 200);
			await assertDead(second, "used");
			await assertDead("a".repeat(43), "made up");
			const other = await issueOneTimeToken(app.metadata, otherKind, id, app.clock.now());
			await assertDead(other.token, "of another kind");
			const late = await newToken();
			app.clock.advance(lifeMs);
			await assertDead(late, "expired");
			const last = await newToken();
			await updateUser(app.metadata, id, { is_active: 0 });
			await assertDead(last, "of a deactivated user");
			assert.deepEqual(fieldsOf(await use("too short")), [422, "body.token"]);
		}
	});
});

describe("another address", () => {
	const ask = (email = newAddress, given = password) =>
		app.call("POST /users/me/email", { as: ann, body: { new_email: email, password: given } });
	const pending = async () => (await app.call("GET /users/me/email", { as: ann })).json().data.pending_change;
	const emailNow = async () => (await findUser(app.metadata, ann.id))?.email;
	const linkTo = async (address: string): Promise<string> => {
		const links = (await mailbox(app).to(address)).flatMap((mail) => mail.links);
		const link = new URL(links.findLast((one) => one.includes("/change-address?")) ?? "https://no.link");
		return link.pathname + link.search;
	};
	const isDead = async (link: string) =>
		/This link is no longer valid/.test((await pageClient(app.inject).open(link)).body);
	const confirm = async (link: string) => {
		const browser = pageClient(app.inject);
		await browser.open(link);
		return browser.submit("/change-address");
	};
	const subjects = async (address: string) => (await mailbox(app).to(address)).map(({ subject }) => subject);

	for (const [first, second] of [
		["ann@example.com", newAddress],
		[newAddress, "ann@example.com"],
	] as const) {
		test(`nothing changes before both have confirmed, ${first} first; then all but the asking session end`, async () => {
			const other = await app.signIn(ann.email);
			await app.call("POST /auth/forgot-password", { body: { email: ann.email } });
			const { message, ...state } = (await ask(" Anna@Example.org ")).json().data;
			assert.match(message, /nothing changes until both/);
			assert.deepEqual(state, {
				email: "ann@example.com",
				pending_change: {
					new_email: newAddress,
					is_confirmed_by_current: false,
					is_confirmed_by_new: false,
					requested_at: "2026-11-21T12:00:00.000Z",
					expires_at: "2026-11-22T12:00:00.000Z",
				},
			});
			const [firstLink, secondLink] = [await linkTo(first), await linkTo(second)];
			for (let i = 0; i < 30; i++) assert.equal((await app.inject({ url: firstLink })).statusCode, 200);
			assert.match((await confirm(firstLink)).body, /Address confirmed/);
			assert.equal(await emailNow(), "ann@example.com");
			const { is_confirmed_by_current: byCurrent, is_confirmed_by_new: byNew } = await pending();
			assert.deepEqual([byCurrent, byNew], first === newAddress ? [false, true] : [true, false]);
			assert.equal(await isDead(firstLink), true);
			assert.equal((await app.call("GET /auth/me", { as: other })).statusCode, 200);

			assert.match((await confirm(secondLink)).body, /Address changed/);
			assert.equal(await pending(), null);
			assert.equal((await app.call("GET /auth/me", { as: ann })).json().data.email, newAddress);
			assert.equal((await app.call("GET /auth/me", { as: other })).statusCode, 401);
			const signIn = (email: string) => app.call("POST /auth/token", { body: { email, password } });
			const statuses = [(await signIn(newAddress)).statusCode, (await signIn("ann@example.com")).statusCode];
			assert.deepEqual(statuses, [200, 401]);
			const reset = (await mailbox(app).to("ann@example.com")).flatMap(({ links }) => links);
			const token = new URL(reset.find((one) => one.includes("/reset-password?")) ?? "").searchParams.get("token");
			const body = { token, new_password: next };
			assert.equal((await app.call("POST /auth/reset-password", { body })).statusCode, 400);
			assert.equal((await subjects("ann@example.com")).at(-1), "Your email address was changed");
			assert.equal((await subjects(newAddress)).at(-1), "Your email address was confirmed");
			const order = first === newAddress ? ["new", "current"] : ["current", "new"];
			const steps = ["requested", "confirmed"].map((step) => `user.email_change_${step}`);
			const trail = await auditTrail(app, ...steps, "user.email_changed");
			const entries = trail.map(({ action, user, details }) => [action, user, details]);
			assert.deepEqual(entries, [
				["user.email_change_requested", ann.id, {}],
				...order.map((address) => ["user.email_change_confirmed", ann.id, { address }]),
				["user.email_changed", ann.id, { sessions_terminated: 1 }],
			]);
		});
	}

	test("an address that has an account gets a notice and no link", async () => {
		await app.user("Bob");
		await ask("bob@example.com");
		const [mail, ...more] = await mailbox(app).to("bob@example.com");
		assert.deepEqual([mail?.subject, more], ["Your email address was entered for another account", []]);
		assert.doesNotMatch(mail?.text ?? "", /token/);
	});

	test("an address that got an account meanwhile keeps it", async () => {
		await ask("bob@example.com");
		await confirm(await linkTo("ann@example.com"));
		await app.user("Bob");
		const refused = await confirm(await linkTo("bob@example.com"));
		assert.equal(refused.statusCode, 409);
		assert.match(refused.body, /The email address is taken/);
		assert.equal(await emailNow(), "ann@example.com");
	});

	test("a link ends after a day, with a newer wish, a withdrawal, another password, and with the account", async () => {
		const withdraw = () => app.call("DELETE /users/me/email", { as: ann });
		await ask();
		const first = await linkTo(newAddress);
		await ask();
		const second = await linkTo("ann@example.com");
		assert.deepEqual([await isDead(first), await isDead(second)], [true, false]);
		await withdraw();
		assert.deepEqual([await isDead(second), await pending()], [true, null]);
		assert.equal((await withdraw()).statusCode, 404);
		assert.equal((await auditTrail(app, "user.email_change_withdrawn")).length, 1);
		await ask();
		const body = { current_password: password, new_password: next };
		await app.call("POST /users/me/password", { as: ann, body });
		assert.equal(await isDead(await linkTo(newAddress)), true);
		await ask("third@example.org", next);
		const third = await linkTo("third@example.org");
		await updateUser(app.metadata, ann.id, { is_active: 0 });
		assert.equal(await isDead(third), true);
		await updateUser(app.metadata, ann.id, { is_active: 1 });
		assert.equal(await isDead(third), false);
		app.clock.advance(DAY_MS);
		assert.equal(await isDead(third), true);
	});

	test("the password is asked, guesses count, and a faulty address is named", async () => {
		assert.deepEqual([(await ask(newAddress, "wrong horse battery 9")).statusCode, await pending()], [400, null]);
		for (const email of ["ann@example.com", "no address"]) {
			assert.deepEqual(fieldsOf(await ask(email)), [422, "body.new_email"]);
		}
		for (let i = 0; i < 9; i++) await ask(newAddress, "wrong horse battery 9");
		assert.equal((await ask()).statusCode, 429);
		assert.deepEqual(await subjects(newAddress), []);
	});

	test("a form of another browser confirms nothing", async () => {
		await ask();
		const link = await linkTo(newAddress);
		const token = new URL(link, "https://x").searchParams.get("token") ?? "";
		const foreign = await pageClient(app.inject).post("/change-address", { token, form_token: "0".repeat(64) });
		assert.equal(foreign.statusCode, 403);
		assert.equal((await pending()).is_confirmed_by_new, false);
	});
});
