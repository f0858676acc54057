import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { password, type SignedIn, sharedAccountsApp, userForEach } from "../../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../../test/support/audit-trail.ts";
import { mailbox } from "../../../../../test/support/mailbox.ts";
import { codeOf, fieldsOf } from "../../../../../test/support/refusals.ts";
import { issueOneTimeToken } from "../../one-time-tokens/index.ts";
import { updateUser } from "../../users/index.ts";

const next = "an entirely different secret 8";

describe("passwords", () => {
	const app = sharedAccountsApp();
	const ann = userForEach(app, "Ann");

	const forgot = (email = ann.email) => app.call("POST /auth/forgot-password", { body: { email } });
	const reset = (token: string, newPassword = next) =>
		app.call("POST /auth/reset-password", { body: { token, new_password: newPassword } });
	const change = (as: SignedIn, current: string, newPassword = next) =>
		app.call("POST /users/me/password", { as, body: { current_password: current, new_password: newPassword } });
	const signIn = (given: string) => app.call("POST /auth/token", { body: { email: ann.email, password: given } });
	const me = async (as: SignedIn) => (await app.call("GET /auth/me", { as })).statusCode;
	const newestMail = async (email = ann.email) => (await mailbox(app).to(email)).at(-1);
	const newestToken = async (email = ann.email): Promise<string> => {
		const link = (await newestMail(email))?.links.find((candidate) => candidate.includes("token="));
		return new URL(link ?? "https://no.link").searchParams.get("token") ?? "";
	};

	test("only an active account gets a mail", async () => {
		await updateUser(app.metadata, (await app.user("Off")).id, { is_active: 0 });
		for (const name of ["ANN", "off", "nobody"]) assert.equal((await forgot(`${name}@example.com`)).statusCode, 200);
		const [mail, ...others] = await mailbox(app).all();
		assert.deepEqual([mail?.to, mail?.subject, others.length], ["ann@example.com", "Choose a new password", 0]);
		const link = `https://stats.example/reset-password?token=${await newestToken()}`;
		assert.ok(mail?.text.includes(`Choose a new password:\n${link}\n`) && mail.html.includes(`<a href="${link}"`));
		assert.ok(mail?.text.includes("once and for one hour"));
		assert.deepEqual(fieldsOf(await forgot("no address")), [422, "body.email"]);
	});

	test("a reset sets the password, ends every session and half-done sign-in, keeps the second factor, and tells by mail", async () => {
		const second = await app.signIn(ann.email);
		const made = await app.call("POST /api-tokens", { as: second, body: { name: "Nightly https://evil.example" } });
		await forgot();
		const token = await newestToken();
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
		assert.equal((await reset(await newestToken())).statusCode, 200);
		assert.equal((await signIn(next)).statusCode, 200);
		assert.equal((await auditTrail(app, "user.email_verified")).length, 1);
	});

	test("a reset token is refused when used, made up, expired, of another kind, replaced or of a deactivated user", async () => {
		const assertDead = async (token: string, what: string) => {
			const response = await reset(token);
			assert.deepEqual(codeOf(response), [400, "bad_request"], what);
			assert.equal(response.json().error.message, "The link is not valid any more");
		};
		await forgot();
		const first = await newestToken();
		await forgot();
		const second = await newestToken();
		await assertDead(first, "replaced");
		assert.equal((await reset(second)).statusCode, 200);
		await assertDead(second, "used");
		await assertDead("a".repeat(43), "made up");
		const other = await issueOneTimeToken(app.metadata, "email_verification", ann.id, app.clock.now());
		await assertDead(other.token, "of another kind");
		await forgot();
		const late = await newestToken();
		app.clock.advance(3_600_000);
		await assertDead(late, "expired");
		await forgot();
		await updateUser(app.metadata, ann.id, { is_active: 0 });
		await assertDead(await newestToken(), "of a deactivated user");
		assert.deepEqual(fieldsOf(await reset("too short")), [422, "body.token"]);
	});

	test("a password against the policy is refused by its field and leaves the link alive", async () => {
		const email = "annabel@example.com";
		await updateUser(app.metadata, ann.id, { email });
		await forgot(email);
		const token = await newestToken(email);
		for (const refused of ["short", "Password1234", "this is annabel speaking", "a".repeat(129)]) {
			assert.deepEqual(fieldsOf(await reset(token, refused)), [422, "body.new_password"], refused);
		}
		assert.equal((await reset(token)).statusCode, 200);
	});

	test("whoever knows the password replaces it, which ends all other sessions and open reset links", async () => {
		await forgot();
		const link = await newestToken();
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

	test("a user's name is changed, and nothing else", async () => {
		const patch = (body: object) => app.call("PATCH /users/me", { as: ann, body });
		const changed = { name: "  Anna ", role: "superadmin", email: "eve@example.com", is_active: false };
		const { name, role, email, is_active: isActive } = (await patch(changed)).json().data;
		assert.deepEqual([name, role, email, isActive], ["Anna", "user", "ann@example.com", true]);
		await patch({ name: "Anna" });
		for (const body of [{}, { name: null }, { name: "" }, { name: "a".repeat(256) }]) {
			assert.deepEqual(fieldsOf(await patch(body)), [422, "body.name"], JSON.stringify(body));
		}
		assert.deepEqual(
			(await auditTrail(app, "user.updated")).map(({ user, details }) => [user, details]),
			[[ann.id, { name: ["Ann", "Anna"] }]],
		);
	});
});
