import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { password, sharedAccountsApp, userForEach } from "../../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../../test/support/audit-trail.ts";
import { mailbox } from "../../../../../test/support/mailbox.ts";
import { pageClient } from "../../../../../test/support/page-client.ts";
import { fieldsOf } from "../../../../../test/support/refusals.ts";
import { findUser, updateUser } from "../../users/index.ts";

const HOUR = 3_600_000;
const next = "anna@example.org";
const another = "an entirely different secret 8";

describe("another address", () => {
	const app = sharedAccountsApp();
	const ann = userForEach(app, "Ann");

	const ask = (email = next, given = password) =>
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
		["ann@example.com", next],
		[next, "ann@example.com"],
	] as const) {
		test(`nothing changes before both have confirmed, ${first} first; then all but the asking session end`, async () => {
			const other = await app.signIn(ann.email);
			await app.call("POST /auth/forgot-password", { body: { email: ann.email } });
			const { message, ...state } = (await ask(" Anna@Example.org ")).json().data;
			assert.match(message, /nothing changes until both/);
			assert.deepEqual(state, {
				email: "ann@example.com",
				pending_change: {
					new_email: next,
					is_confirmed_by_current: false,
					is_confirmed_by_new: false,
					requested_at: "2026-11-21T12:00:00.000Z",
					expires_at: "2026-11-22T12:00:00.000Z",
				},
			});
			const [firstLink, secondLink] = [await linkTo(first), await linkTo(second)];
			for (let i = 0; i < 30; i++) assert.equal((await app.inject({ url: firstLink })).statusCode, 200);
			assert.match((await confirm(firstLink)).body, /This address has confirmed/);
			assert.equal(await emailNow(), "ann@example.com");
			const { is_confirmed_by_current: byCurrent, is_confirmed_by_new: byNew } = await pending();
			assert.deepEqual([byCurrent, byNew], first === next ? [false, true] : [true, false]);
			assert.equal(await isDead(firstLink), true);
			assert.equal((await app.call("GET /auth/me", { as: other })).statusCode, 200);

			assert.match((await confirm(secondLink)).body, /The address was changed/);
			assert.equal(await pending(), null);
			assert.equal((await app.call("GET /auth/me", { as: ann })).json().data.email, next);
			assert.equal((await app.call("GET /auth/me", { as: other })).statusCode, 401);
			const signIn = (email: string) => app.call("POST /auth/token", { body: { email, password } });
			assert.deepEqual([(await signIn(next)).statusCode, (await signIn("ann@example.com")).statusCode], [200, 401]);
			const reset = (await mailbox(app).to("ann@example.com")).flatMap(({ links }) => links);
			const token = new URL(reset.find((one) => one.includes("/reset-password?")) ?? "").searchParams.get("token");
			const body = { token, new_password: another };
			assert.equal((await app.call("POST /auth/reset-password", { body })).statusCode, 400);
			assert.equal((await subjects("ann@example.com")).at(-1), "Your e-mail address was changed");
			assert.equal((await subjects(next)).at(-1), "This is your e-mail address now");
			const order = first === next ? ["new", "current"] : ["current", "new"];
			const steps = ["requested", "confirmed"].map((step) => `user.email_change_${step}`);
			const trail = await auditTrail(app, ...steps, "user.email_changed");
			assert.deepEqual(
				trail.map(({ action, user, details }) => [action, user, details]),
				[
					["user.email_change_requested", ann.id, {}],
					...order.map((address) => ["user.email_change_confirmed", ann.id, { address }]),
					["user.email_changed", ann.id, { sessions_terminated: 1 }],
				],
			);
		});
	}

	test("an address that has an account gets a notice and no link", async () => {
		await app.user("Bob");
		await ask("bob@example.com");
		assert.deepEqual(await subjects("bob@example.com"), ["Your e-mail address was named for another account"]);
	});

	test("an address that got an account meanwhile keeps it", async () => {
		await ask("bob@example.com");
		await confirm(await linkTo("ann@example.com"));
		await app.user("Bob");
		const refused = await confirm(await linkTo("bob@example.com"));
		assert.equal(refused.statusCode, 409);
		assert.match(refused.body, /The e-mail address is taken/);
		assert.equal(await emailNow(), "ann@example.com");
	});

	test("a link ends after a day, with a newer wish, a withdrawal, another password, and with the account", async () => {
		const withdraw = () => app.call("DELETE /users/me/email", { as: ann });
		await ask();
		const first = await linkTo(next);
		await ask();
		const second = await linkTo("ann@example.com");
		assert.deepEqual([await isDead(first), await isDead(second)], [true, false]);
		await withdraw();
		assert.deepEqual([await isDead(second), await pending()], [true, null]);
		assert.equal((await withdraw()).statusCode, 404);
		assert.equal((await auditTrail(app, "user.email_change_withdrawn")).length, 1);
		await ask();
		const body = { current_password: password, new_password: another };
		await app.call("POST /users/me/password", { as: ann, body });
		assert.equal(await isDead(await linkTo(next)), true);
		await ask("third@example.org", another);
		const third = await linkTo("third@example.org");
		await updateUser(app.metadata, ann.id, { is_active: 0 });
		assert.equal(await isDead(third), true);
		await updateUser(app.metadata, ann.id, { is_active: 1 });
		assert.equal(await isDead(third), false);
		app.clock.advance(24 * HOUR);
		assert.equal(await isDead(third), true);
	});

	test("the password is asked, guesses count, and a faulty address is named", async () => {
		assert.deepEqual([(await ask(next, "wrong horse battery 9")).statusCode, await pending()], [400, null]);
		for (const email of ["ann@example.com", "no address"]) {
			assert.deepEqual(fieldsOf(await ask(email)), [422, "body.new_email"]);
		}
		for (let i = 0; i < 9; i++) await ask(next, "wrong horse battery 9");
		assert.equal((await ask()).statusCode, 429);
		assert.deepEqual(await subjects(next), []);
	});

	test("a form of another browser confirms nothing", async () => {
		await ask();
		const link = await linkTo(next);
		const token = new URL(link, "https://x").searchParams.get("token") ?? "";
		const foreign = await pageClient(app.inject).post("/change-address", { token, form_token: "0".repeat(64) });
		assert.equal(foreign.statusCode, 403);
		assert.equal((await pending()).is_confirmed_by_new, false);
	});
});
