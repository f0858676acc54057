import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { password, type SignedIn, sharedAccountsApp, userForEach } from "../../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../../test/support/audit-trail.ts";
import { mailbox } from "../../../../../test/support/mailbox.ts";
import { codeOf } from "../../../../../test/support/refusals.ts";
import { issueOneTimeToken } from "../../one-time-tokens/index.ts";
import { findUser, updateUser } from "../../users/index.ts";

const next = "an entirely different secret 8";

describe("passwords", () => {
	const app = sharedAccountsApp();
	const ann = userForEach(app, "Ann");

	const forgot = (email: string) => app.call("POST /auth/forgot-password", { body: { email } });
	const reset = (token: string, newPassword = next) =>
		app.call("POST /auth/reset-password", { body: { token, new_password: newPassword } });
	const change = (as: SignedIn, current: string, newPassword = next) =>
		app.call("POST /users/me/password", { as, body: { current_password: current, new_password: newPassword } });
	const signIn = (given: string) => app.call("POST /auth/token", { body: { email: ann.email, password: given } });
	const me = async (as: SignedIn) => (await app.call("GET /auth/me", { as })).statusCode;
	const newestToken = async (): Promise<string> => {
		const link = (await mailbox(app).to(ann.email)).at(-1)?.links.find((candidate) => candidate.includes("token="));
		return new URL(link ?? "https://no.link").searchParams.get("token") ?? "";
	};
	const fieldOf = (response: { json(): { error: { detail: { field: string }[] } } }) =>
		response.json().error.detail.map(({ field }) => field);

	test("every address gets the same answer, and only an active account a mail", async () => {
		const off = await app.user("Off");
		await updateUser(app.metadata, off.id, { is_active: 0 });
		const answers = [];
		for (const email of ["ANN@example.com", "off@example.com", "nobody@example.com"]) {
			const response = await forgot(email);
			answers.push(`${response.statusCode}${response.body}`.replace(/"timestamp":"[^"]+"/, ""));
		}
		assert.equal(new Set(answers).size, 1, answers.join("\n"));
		const [mail, ...others] = await mailbox(app).all();
		assert.equal(others.length, 0);
		assert.deepEqual([mail?.to, mail?.subject], ["ann@example.com", "Choose a new password"]);
		const link = `https://stats.example/reset-password?token=${await newestToken()}`;
		assert.ok(mail?.text.includes(`Choose a new password:\n${link}\n`));
		assert.ok(mail?.html.includes(`<a href="${link}"`));
		assert.ok(mail?.text.includes("once and for one hour"));
		assert.deepEqual(fieldOf(await forgot("no address")), ["body.email"]);
	});

	test("a reset sets the password, ends every session and half-done sign-in, keeps the second factor, and tells by mail", async () => {
		const second = await app.signIn(ann.email);
		const made = await app.call("POST /api-tokens", { as: second, body: { name: "Nightly https://evil.example" } });
		const { token_prefix: prefix } = made.json().data;
		await forgot(ann.email);
		const token = await newestToken();
		await updateUser(app.metadata, ann.id, { two_factor_enabled_at: 1 });
		const challenge = (await signIn(password)).json().data.challenge_token;
		const response = await reset(token);
		assert.equal(response.statusCode, 200);
		assert.deepEqual(response.json().data, { message: "The password was changed", sessions_terminated: 2 });
		assert.equal(response.headers["set-cookie"], undefined);
		assert.deepEqual([await me(ann), await me(second)], [401, 401]);
		assert.equal((await signIn(password)).statusCode, 401);
		assert.equal((await signIn(next)).json().data.requires_2fa, true);
		const verifyLogin = await app.call("POST /2fa/verify-login", {
			body: { challenge_token: challenge, code: "000000" },
		});
		assert.deepEqual(codeOf(verifyLogin), [401, "token_invalid"]);
		const notice = (await mailbox(app).to(ann.email)).at(-1);
		assert.equal(notice?.subject, "Your password was changed");
		assert.ok(notice?.text.includes(`Nightly [link] (${prefix}…)`), "keys that go on are named");
		const [entry] = await auditTrail(app, "user.password_reset");
		assert.deepEqual(
			[entry?.user, entry?.resource, entry?.details],
			[ann.id, String(ann.id), { sessions_terminated: 2 }],
		);
		const log = app.logLines.join("");
		for (const secret of [token, next, password, "ann@"]) assert.equal(log.includes(secret), false, secret);
	});

	test("a reset confirms an address that was not, because its mail arrived", async () => {
		await updateUser(app.metadata, ann.id, { email_verified_at: null });
		await forgot(ann.email);
		assert.equal((await reset(await newestToken())).statusCode, 200);
		assert.equal((await signIn(next)).statusCode, 200);
		assert.equal((await auditTrail(app, "user.email_verified")).length, 1);
	});

	test("a reset token is refused when used, made up, expired, of another kind, replaced or of a deactivated user", async () => {
		const dead = [400, "bad_request", "The link is not valid any more"];
		const answerOf = async (token: string) => {
			const response = await reset(token);
			return [response.statusCode, response.json().error?.code, response.json().error?.message];
		};
		await forgot(ann.email);
		const first = await newestToken();
		await forgot(ann.email);
		const second = await newestToken();
		assert.deepEqual(await answerOf(first), dead);
		assert.equal((await reset(second)).statusCode, 200);
		assert.deepEqual(await answerOf(second), dead);
		assert.deepEqual(await answerOf("a".repeat(43)), dead);
		const other = await issueOneTimeToken(app.metadata, "email_verification", ann.id, app.clock.now());
		assert.deepEqual(await answerOf(other.token), dead);
		await forgot(ann.email);
		const late = await newestToken();
		app.clock.advance(3_600_000);
		assert.deepEqual(await answerOf(late), dead);
		await forgot(ann.email);
		await updateUser(app.metadata, ann.id, { is_active: 0 });
		assert.deepEqual(await answerOf(await newestToken()), dead);
		assert.deepEqual(fieldOf(await reset("too short")), ["body.token"]);
	});

	test("a password against the policy is refused by its field and leaves the link alive", async () => {
		await updateUser(app.metadata, ann.id, { email: "annabel@example.com" });
		await app.call("POST /auth/forgot-password", { body: { email: "annabel@example.com" } });
		const mail = (await mailbox(app).to("annabel@example.com")).at(-1);
		const token = new URL(mail?.links.find((link) => link.includes("token=")) ?? "").searchParams.get("token") ?? "";
		for (const refused of ["short", "Password1234", "this is annabel speaking", "a".repeat(129)]) {
			const response = await reset(token, refused);
			assert.deepEqual([response.statusCode, fieldOf(response)], [422, ["body.new_password"]], refused);
		}
		assert.equal((await reset(token)).statusCode, 200);
	});

	test("whoever knows the password replaces it, which ends all other sessions and open reset links", async () => {
		await forgot(ann.email);
		const link = await newestToken();
		const second = await app.signIn(ann.email);
		await app.signIn(ann.email);
		const response = await change(second, password);
		assert.equal(response.statusCode, 200);
		assert.deepEqual(response.json().data, { message: "The password was changed", sessions_terminated: 2 });
		assert.deepEqual([await me(ann), await me(second)], [401, 200]);
		assert.equal((await reset(link)).statusCode, 400);
		assert.equal((await signIn(next)).statusCode, 200);
		assert.equal((await mailbox(app).to(ann.email)).at(-1)?.subject, "Your password was changed");
		const [entry] = await auditTrail(app, "user.password_changed");
		assert.deepEqual([entry?.user, entry?.resource], [ann.id, String(ann.id)]);
	});

	test("a wrong current password is 400 and counts as a failed sign-in, so that a borrowed session cannot guess", async () => {
		const wrong = await change(ann, "not the password");
		assert.deepEqual(codeOf(wrong), [400, "bad_request"]);
		for (let i = 0; i < 9; i++) await change(ann, "not the password");
		assert.equal((await change(ann, password)).statusCode, 429);
		app.clock.advance(900_001);
		const again = await app.signIn(ann.email);
		assert.deepEqual(fieldOf(await change(again, password, "Password1234")), ["body.new_password"]);
		const missing = await app.call("POST /users/me/password", { as: again, body: {} });
		assert.deepEqual(fieldOf(missing).sort(), ["body.current_password", "body.new_password"]);
		assert.equal((await app.call("POST /users/me/password", { body: {} })).statusCode, 401);
	});

	test("a user's name is changed, and nothing else", async () => {
		app.clock.advance(1000);
		const patch = (body: object) => app.call("PATCH /users/me", { as: ann, body });
		const response = await patch({ name: "  Anna ", role: "superadmin", email: "eve@example.com", is_active: false });
		assert.equal(response.statusCode, 200);
		const { name, role, email, is_active: isActive } = response.json().data;
		assert.deepEqual([name, role, email, isActive], ["Anna", "user", "ann@example.com", true]);
		await patch({ name: "Anna" });
		const trail = await auditTrail(app, "user.updated");
		assert.deepEqual(
			trail.map(({ user, resource, details }) => [user, resource, details]),
			[[ann.id, String(ann.id), { name: ["Ann", "Anna"] }]],
		);
		for (const body of [{}, { name: null }, { name: "" }, { name: "a".repeat(256) }, { name: "a\u0000b" }]) {
			const refused = await patch(body);
			assert.deepEqual([refused.statusCode, fieldOf(refused)], [422, ["body.name"]], JSON.stringify(body));
		}
		assert.equal((await findUser(app.metadata, ann.id))?.name, "Anna");
	});
});
