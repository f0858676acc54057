import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { sharedAccountsApp } from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { codeOf, fieldsOf, messageOf } from "../../../../test/support/refusals.ts";
import { invitationCalls, teamForEach } from "../../../../test/support/team.ts";
import { dropEndedInvitations } from "./store.ts";

const DAY_MS = 86_400_000;

describe("invitations", () => {
	const app = sharedAccountsApp();
	const team = teamForEach(app);
	const { ann, bob, cleo, stranger } = team;

	const { tokenOf, invite, sent, look, accept, resend, revoke } = invitationCalls(app, () => ann);
	const list = async () => (await app.call("GET /organizations/acme/invitations", { as: ann })).json().data.invitations;

	test("an invitation is mailed, shown, and makes an account that is signed in", async () => {
		const response = await invite({ email: " New@Example.com ", site_ids: ["shop"] }, bob);
		assert.equal(response.statusCode, 201);
		assert.equal(response.headers["cache-control"], "no-store");
		const { invitation_id: id, invitation_link: link, expires_at } = response.json().data;
		assert.match(link, /^https:\/\/stats\.example\/invitation\?token=[A-Za-z0-9_-]{43}$/);
		assert.equal(expires_at, "2026-11-28T12:00:00.000Z");
		const [mail, ...others] = await mailbox(app).to("new@example.com");
		assert.deepEqual([mail?.subject, mail?.links.length, others], ["Invitation to Acme", 1, []]);
		const mailed = mail?.links[0] ?? "";
		assert.notEqual(mailed, link);
		assert.match(mail?.text ?? "", /Bob invites you to work with Acme/);
		assert.deepEqual(await list(), [
			{
				id,
				org_id: team.orgId,
				email: "new@example.com",
				role: "member",
				invited_by_name: "Bob",
				is_active: true,
				expires_at: "2026-11-28T12:00:00.000Z",
				accepted_at: null,
				created_at: "2026-11-21T12:00:00.000Z",
			},
		]);
		assert.equal((await look(tokenOf(link))).statusCode, 200);
		const token = tokenOf(mailed);
		assert.deepEqual((await look(token)).json().data, {
			org_name: "Acme",
			email: "new@example.com",
			role: "member",
			invited_by_name: "Bob",
		});

		const accepted = await accept({ token });
		assert.equal(accepted.statusCode, 201);
		const { access_token, ...data } = accepted.json().data;
		assert.deepEqual(data, {
			message: "Welcome to Acme",
			org_name: "Acme",
			token_type: "bearer",
			expires_in: 900,
		});
		assert.deepEqual(accepted.cookies.map(({ name }) => name).sort(), [
			"svc_access_token",
			"svc_csrf_token",
			"svc_refresh_token",
		]);
		const as = { headers: { authorization: `Bearer ${access_token}` } };
		const me = (await app.call("GET /users/me", { as })).json().data;
		assert.deepEqual(
			[me.email, me.name, me.account_ids, me.email_verified_at],
			["new@example.com", "New", ["shop"], "2026-11-21T12:00:00.000Z"],
		);
		const { organizations, can_create_org } = (await app.call("GET /organizations", { as })).json().data;
		assert.deepEqual([organizations[0].slug, organizations[0].user_role, can_create_org], ["acme", "member", false]);
		assert.deepEqual(
			(await list()).map((one: Record<string, unknown>) => [one["is_active"], one["accepted_at"]]),
			[[false, "2026-11-21T12:00:00.000Z"]],
		);
		const entries = await auditTrail(app);
		assert.deepEqual(
			entries
				.filter(({ action }) => /^(invitation|member)\.|^user\.created$/.test(action))
				.map((entry) => entry.action),
			["invitation.sent", "user.created", "invitation.accepted", "member.created"],
		);
		assert.ok(!JSON.stringify(entries).includes(token));
		const log = app.logLines.join("\n");
		assert.ok(!log.includes(token) && !log.includes("new@example.com"));
	});

	test("the answer and the mail are the same whether or not the address has an account", async () => {
		const unknown = await invite({ email: "nobody@example.com" });
		const known = await invite({ email: stranger.email });
		const shape = (response: typeof known) => {
			const { invitation_link, ...data } = response.json().data;
			return [response.statusCode, Object.keys(response.json().data), data.expires_at, invitation_link.length];
		};
		assert.deepEqual(shape(known), shape(unknown));
		const text = async (address: string) =>
			(await mailbox(app).to(address)).map((mail) => [mail.subject, mail.text.replace(/token=\S+/g, "")]);
		assert.deepEqual(await text(stranger.email), await text("nobody@example.com"));
	});

	test("resending gives seven days anew and a new link by mail", async () => {
		const { id, token } = await sent({ email: "new@example.com" });
		app.clock.advance(8 * DAY_MS);
		Object.assign(ann, await app.signIn(ann.email));
		assert.equal((await list())[0].is_active, false);
		assert.deepEqual((await resend(id)).json().data, { message: "Invitation sent again" });
		const [invitation] = await list();
		assert.deepEqual([invitation.is_active, invitation.expires_at], [true, "2026-12-06T12:00:00.000Z"]);
		const links = (await mailbox(app).to("new@example.com")).flatMap((mail) => mail.links);
		assert.equal(links.length, 2);
		assert.deepEqual(codeOf(await look(token)), [404, "not_found"]);
		assert.equal((await look(tokenOf(links[1] ?? ""))).statusCode, 200);
		assert.equal((await auditTrail(app, "invitation.resent")).length, 1);
	});

	test("names that somebody chose bring no links and no encoded words into the mail", async () => {
		const name = "Locked =?utf-8?q?=0A?= open https://evil.example/x or evil.example";
		assert.equal((await app.call("PATCH /organizations/acme", { as: ann, body: { name } })).statusCode, 200);
		await sent({ email: "new@example.com" });
		const [mail] = await mailbox(app).to("new@example.com");
		assert.equal(mail?.subject, "Invitation to Locked = ?utf-8?q?=0A?= open [link] or evil[.]example");
		assert.ok(!/https:\/\/evil|evil\.example/.test(mail?.text ?? ""), mail?.text);
	});

	test("an address gets five invitations an hour, whoever sends them", async () => {
		const { id } = await sent({ email: "new@example.com" });
		for (let again = 0; again < 4; again++) assert.equal((await resend(id)).statusCode, 200);
		assert.deepEqual(codeOf(await resend(id)), [429, "rate_limit_exceeded"]);
		assert.deepEqual(codeOf(await invite({ email: "new@example.com" }, stranger, "other")), [
			429,
			"rate_limit_exceeded",
		]);
		assert.equal((await mailbox(app).to("new@example.com")).length, 5);
		assert.equal((await invite({ email: "else@example.com" })).statusCode, 201);
		app.clock.advance(3_600_000);
		Object.assign(ann, await app.signIn(ann.email));
		assert.equal((await resend(id)).statusCode, 200);
	});

	test("revoked and accepted invitations are neither sent again nor revoked", async () => {
		const [revoked, used] = [await sent({ email: "a@example.com" }), await sent({ email: "b@example.com" })];
		await revoke(revoked.id);
		await accept({ token: used.token });
		assert.deepEqual(codeOf(await resend(revoked.id)), [404, "not_found"]);
		assert.deepEqual(codeOf(await revoke(revoked.id)), [404, "not_found"]);
		assert.deepEqual(codeOf(await resend(used.id)), [409, "conflict"]);
		assert.deepEqual(codeOf(await revoke(used.id)), [409, "conflict"]);
		assert.deepEqual(codeOf(await resend(999_999)), [404, "not_found"]);
		assert.equal((await resend("x")).json().error.detail[0].field, "path.id");
		assert.equal((await auditTrail(app, "invitation.revoked")).length, 1);
	});

	test("an admin neither invites owners nor touches their invitations", async () => {
		const email = "new@example.com";
		const tooHigh = await invite({ email, role: "owner" }, bob);
		assert.deepEqual(messageOf(tooHigh), [403, "Required role: owner"]);
		const owner = await sent({ email, role: "owner" });
		assert.equal((await resend(owner.id, bob)).statusCode, 403);
		assert.equal((await revoke(owner.id, bob)).statusCode, 403);
		assert.equal((await invite({ email: "admin@example.com", role: "admin" }, bob)).statusCode, 201);
		const { access_token } = (await accept({ token: owner.token })).json().data;
		const as = { headers: { authorization: `Bearer ${access_token}` } };
		assert.equal((await app.call("GET /organizations/acme", { as })).json().data.user_role, "owner");
	});

	test("members and addresses with an open invitation are not invited again; an expired one is replaced", async () => {
		assert.deepEqual(codeOf(await invite({ email: "BOB@example.com" })), [409, "duplicate_entry"]);
		const first = await sent({ email: "new@example.com" });
		assert.deepEqual(codeOf(await invite({ email: "NEW@example.com" })), [409, "duplicate_entry"]);
		app.clock.advance(7 * DAY_MS);
		Object.assign(ann, await app.signIn(ann.email));
		const second = await sent({ email: "new@example.com" });
		assert.notEqual(second.id, first.id);
		assert.deepEqual(codeOf(await resend(first.id)), [404, "not_found"]);
	});

	test("faulty input names its field", async () => {
		for (const body of [{}, { email: "x" }, { email: "a@b" }, { email: "a\nb@example.com" }, { email: 7 }]) {
			const response = await invite(body);
			assert.deepEqual(fieldsOf(response), [422, "body.email"]);
		}
		const site = await invite({ email: "new@example.com", site_ids: ["shop", "nowhere"] });
		assert.deepEqual([...codeOf(site), site.json().error.message], [404, "account_not_found", "Account not found"]);
		assert.deepEqual(await mailbox(app).all(), []);
		const role = await invite({ email: "new@example.com", role: "viewer" });
		assert.equal(role.json().error.detail[0].field, "body.role");
		const { token } = await sent({ email: "new@example.com" });
		const cases = [
			[{ token: "short" }, "body.token"],
			[{ token, name: "" }, "body.name"],
			[{ token, name: "a\u0007b" }, "body.name"],
			[{ token, password: "short" }, "body.password"],
			[{ token, password: "x".repeat(129) }, "body.password"],
		] as const;
		for (const [body, field] of cases) {
			const response = await accept(body);
			assert.deepEqual(fieldsOf(response), [422, field]);
		}
		assert.equal((await accept({ token })).statusCode, 201);
	});

	test("members and open invitations together stay within the plan's seats", async () => {
		await team.setPlan("free");
		assert.deepEqual(codeOf(await invite({ email: "new@example.com" })), [429, "quota_exceeded"]);
		await app.call(`DELETE /organizations/acme/members/${bob.id}`, { as: ann });
		await app.call(`DELETE /organizations/acme/members/${cleo.id}`, { as: ann });
		const { id, token } = await sent({ email: "new@example.com" });
		assert.deepEqual(codeOf(await invite({ email: "more@example.com" })), [429, "quota_exceeded"]);
		assert.equal((await resend(id)).statusCode, 200);
		await revoke(id);
		assert.equal((await invite({ email: "more@example.com" })).statusCode, 201);
		assert.deepEqual(codeOf(await look(token)), [404, "not_found"]);
	});

	test("an invitation is removed a year after its end, unless an account was made by it", async () => {
		await invite({ email: "never@example.com" });
		await invite({ email: "soon@example.com" });
		const soon = { token: tokenOf((await mailbox(app).to("soon@example.com"))[0]?.links[0] ?? "") };
		assert.equal((await accept(soon)).statusCode, 201);
		const { token } = await sent({ email: stranger.email });
		const joined = await app.call("POST /invitations/accept-existing", { as: stranger, body: { token } });
		assert.equal(joined.statusCode, 200);
		app.clock.advance(373 * DAY_MS);
		await dropEndedInvitations(app);
		const rows = await app.metadata.withTables<Tables>().selectFrom("invitations").select("email").execute();
		assert.deepEqual(rows, [{ email: "soon@example.com" }]);
	});
});
