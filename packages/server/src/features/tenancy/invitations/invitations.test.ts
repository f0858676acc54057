import assert from "node:assert/strict";
import { test } from "node:test";
import { tables } from "../../../../migrations/metadata/tables/index.ts";
import { type SignedIn, sharedAccountsApp } from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { codeOf, messageOf } from "../../../../test/support/refusals.ts";
import { invitationCalls, teamForEach } from "../../../../test/support/team.ts";

const DAY_MS = 86_400_000;
const email = "new@example.com";

const app = sharedAccountsApp();
const team = teamForEach(app);
const { ann, bob, cleo, stranger } = team;

const { tokenOf, invite, sent, look, accept, resend, revoke } = invitationCalls(app, () => ann);
const list = async () => (await app.call("GET /organizations/acme/invitations", { as: ann })).json().data.invitations;
const acceptAs = (as: SignedIn, token: string) =>
	app.call("POST /invitations/accept-existing", { as, body: { token } });
const by = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
/** Whoever has just made an account by an invitation. */
const accepted = async (token: string) => by((await accept({ token })).json().data.access_token);
const pass = async (ms: number) => {
	app.clock.advance(ms);
	Object.assign(ann, await app.signIn(ann.email));
};

test("an invitation is mailed, shown, and makes an account that is signed in", async () => {
	const response = await invite({ email: " New@Example.com ", site_ids: ["shop"], site_role: "editor" }, bob);
	assert.deepEqual([response.statusCode, response.headers["cache-control"]], [201, "no-store"]);
	const { invitation_id: id, invitation_link: link, expires_at } = response.json().data;
	assert.match(link, /^https:\/\/stats\.example\/invitation\?token=[A-Za-z0-9_-]{43}$/);
	const [mail, ...others] = await mailbox(app).to(email);
	assert.deepEqual([mail?.subject, mail?.links.length, others], ["Invitation to Acme", 1, []]);
	assert.notEqual(mail?.links[0], link);
	assert.match(mail?.text ?? "", /Bob invites you to work with Acme/);
	const shown = { email, role: "member", invited_by_name: "Bob" };
	const sites = { site_ids: ["shop"], site_role: "editor" };
	const open = { is_active: true, expires_at: "2026-11-28T12:00:00.000Z", accepted_at: null };
	const created = { created_at: "2026-11-21T12:00:00.000Z" };
	assert.deepEqual(await list(), [{ id, org_id: team.orgId, ...shown, ...sites, ...open, ...created }]);
	assert.equal(expires_at, open.expires_at);
	assert.equal((await look(tokenOf(link))).statusCode, 200);
	const token = tokenOf(mail?.links[0]);
	assert.deepEqual((await look(token)).json().data, { org_name: "Acme", ...shown });

	const answer = await accept({ token });
	assert.equal(answer.statusCode, 201);
	const { access_token, ...data } = answer.json().data;
	assert.deepEqual(data, { message: "Welcome to Acme", org_name: "Acme", token_type: "bearer", expires_in: 900 });
	const cookies = answer.cookies.map(({ name }) => name).sort();
	assert.deepEqual(cookies, ["svc_access_token", "svc_csrf_token", "svc_refresh_token"]);
	const me = (await app.call("GET /users/me", { as: by(access_token) })).json().data;
	const known = [email, "New", ["shop"], "2026-11-21T12:00:00.000Z"];
	assert.deepEqual([me.email, me.name, me.account_ids, me.email_verified_at], known);
	assert.equal((await app.call("GET /sites/shop", { as: by(access_token) })).json().data.role, "editor");
	const { organizations } = (await app.call("GET /organizations", { as: by(access_token) })).json().data;
	assert.deepEqual([organizations[0].slug, organizations[0].user_role], ["acme", "member"]);
	const [{ is_active, accepted_at }] = await list();
	assert.deepEqual([is_active, accepted_at], [false, "2026-11-21T12:00:00.000Z"]);
	const [entries, log] = [JSON.stringify(await auditTrail(app)), app.logLines.join("\n")];
	assert.ok(entries.includes("invitation.accepted"));
	assert.ok(!`${entries}${log}`.includes(token) && !log.includes(email));
});

test("names that somebody chose bring no links and no encoded words into the mail", async () => {
	const name = "Locked =?utf-8?q?=0A?= open https://evil.example/x or evil.example";
	assert.equal((await app.call("PATCH /organizations/acme", { as: ann, body: { name } })).statusCode, 200);
	await sent({ email });
	const [mail] = await mailbox(app).to(email);
	assert.equal(mail?.subject, "Invitation to Locked = ?utf-8?q?=0A?= open [link] or evil[.]example");
	assert.ok(!/https:\/\/evil|evil\.example/.test(mail?.text ?? ""), mail?.text);
});

test("resending gives seven days anew and a new link by mail", async () => {
	const { id, token } = await sent({ email });
	await pass(8 * DAY_MS);
	assert.equal((await list())[0].is_active, false);
	assert.deepEqual((await resend(id)).json().data, { message: "Invitation sent again" });
	const [invitation] = await list();
	assert.deepEqual([invitation.is_active, invitation.expires_at], [true, "2026-12-06T12:00:00.000Z"]);
	const links = (await mailbox(app).to(email)).flatMap((mail) => mail.links);
	assert.equal(links.length, 2);
	assert.deepEqual(codeOf(await look(token)), [404, "not_found"]);
	assert.equal((await look(tokenOf(links[1]))).statusCode, 200);
});

test("an address gets five invitations an hour, whoever sends them", async () => {
	const { id } = await sent({ email });
	for (let again = 0; again < 4; again++) assert.equal((await resend(id)).statusCode, 200);
	for (const refused of [await resend(id), await invite({ email }, stranger, "other")]) {
		assert.deepEqual(codeOf(refused), [429, "rate_limit_exceeded"]);
	}
	assert.equal((await mailbox(app).to(email)).length, 5);
	assert.equal((await invite({ email: "else@example.com" })).statusCode, 201);
	await pass(3_600_000);
	assert.equal((await resend(id)).statusCode, 200);
});

test("a link opens, is sent again and revoked as long as it is open, whoever asks; a used one is a conflict", async () => {
	const to = (name: string) => sent({ email: `${name}@example.com` });
	const [expired, revoked, replaced, used] = [
		await to("old"),
		await to("revoked"),
		await to("replaced"),
		await to("used"),
	];
	assert.deepEqual((await revoke(revoked.id)).json().data, { message: "Invitation revoked" });
	assert.equal((await resend(replaced.id)).statusCode, 200);
	assert.equal((await accept({ token: used.token })).statusCode, 201);
	const gone = [404, "not_found"];
	for (const [token, expected] of [
		[revoked.token, gone],
		[replaced.token, gone],
		["x".repeat(43), gone],
		["x".repeat(20), gone],
		[used.token, [409, "conflict"]],
	] as const) {
		for (const answer of [await look(token), await accept({ token }), await acceptAs(stranger, token)]) {
			assert.deepEqual(codeOf(answer), expected);
		}
	}
	for (const act of [resend, revoke]) {
		assert.deepEqual(codeOf(await act(revoked.id)), gone);
		assert.deepEqual(codeOf(await act(used.id)), [409, "conflict"]);
	}
	app.clock.advance(7 * DAY_MS - 1);
	assert.equal((await look(expired.token)).statusCode, 200);
	app.clock.advance(1);
	assert.deepEqual(codeOf(await look(expired.token)), gone);
	assert.deepEqual(codeOf(await accept({ token: expired.token })), gone);
});

test("an admin neither invites owners nor touches their invitations", async () => {
	assert.deepEqual(messageOf(await invite({ email, role: "owner" }, bob)), [403, "Required role: owner"]);
	const ofSite = { email: "else@example.com", site_ids: ["shop"], site_role: "owner" };
	assert.deepEqual(messageOf(await invite(ofSite, bob)), [403, "Required role: owner"]);
	assert.equal((await resend((await sent(ofSite)).id, bob)).statusCode, 403);
	const owner = await sent({ email, role: "owner" });
	assert.equal((await resend(owner.id, bob)).statusCode, 403);
	assert.equal((await revoke(owner.id, bob)).statusCode, 403);
	assert.equal((await invite({ email: "admin@example.com", role: "admin" }, bob)).statusCode, 201);
	const as = await accepted(owner.token);
	assert.equal((await app.call("GET /organizations/acme", { as })).json().data.user_role, "owner");
});

test("members and addresses with an open invitation are not invited again; an expired one is replaced", async () => {
	const first = await sent({ email });
	for (const known of ["BOB@example.com", "NEW@example.com"]) {
		assert.deepEqual(codeOf(await invite({ email: known })), [409, "duplicate_entry"]);
	}
	await pass(7 * DAY_MS);
	assert.notEqual((await sent({ email })).id, first.id);
	assert.deepEqual(codeOf(await resend(first.id)), [404, "not_found"]);
});

test("members and open invitations together stay within the plan's seats, also when one is accepted", async () => {
	const early = await sent({ email });
	await team.setPlan("free");
	const full = [429, "quota_exceeded"];
	assert.deepEqual(codeOf(await invite({ email: "more@example.com" })), full);
	assert.deepEqual(codeOf(await accept({ token: early.token })), full);
	for (const { id } of [bob, cleo]) await app.call(`DELETE /organizations/acme/members/${id}`, { as: ann });
	assert.deepEqual(codeOf(await invite({ email: "more@example.com" })), full);
	assert.equal((await resend(early.id)).statusCode, 200);
	await revoke(early.id);
	const { token } = await sent({ email: "more@example.com" });
	assert.equal((await accept({ token })).statusCode, 201);
});

test("an invitation is removed a year after its end, unless an account was made by it", async () => {
	await invite({ email: "never@example.com" });
	await accepted((await sent({ email: "soon@example.com" })).token);
	const { token } = await sent({ email: stranger.email });
	assert.equal((await acceptAs(stranger, token)).statusCode, 200);
	// The schedule begins at the first of these moments.
	for (const days of [373, 1]) {
		app.clock.advance(days * DAY_MS);
		await app.jobs.runDue();
	}
	const rows = await tables(app.metadata).selectFrom("invitations").select("email").execute();
	assert.deepEqual(rows, [{ email: "soon@example.com" }]);
});

test("a user who came by invitation creates no organization, even after leaving", async () => {
	const as = await accepted((await sent({ email })).token);
	const create = () => app.call("POST /organizations", { as, body: { name: "Mine" } });
	assert.deepEqual(codeOf(await create()), [409, "conflict"]);
	const { id } = (await app.call("GET /users/me", { as })).json().data;
	assert.equal((await app.call(`DELETE /organizations/acme/members/${id}`, { as })).statusCode, 200);
	assert.equal((await app.call("GET /organizations", { as })).json().data.can_create_org, false);
	assert.deepEqual(codeOf(await create()), [403, "forbidden"]);
});

test("the invited user alone accepts, next to an organization of the own, once the address is verified", async () => {
	const { token } = await sent({ email: stranger.email, role: "admin", site_ids: ["nowhere"] });
	assert.deepEqual(codeOf(await accept({ token })), [409, "conflict"], "an address gets no second account");
	assert.deepEqual(codeOf(await acceptAs(bob, token)), [403, "forbidden"], "the invitation is another user's");
	const verifiedAt = (at: number | null) =>
		tables(app.metadata).updateTable("users").set({ email_verified_at: at }).where("id", "=", stranger.id).execute();
	await verifiedAt(null);
	assert.deepEqual(codeOf(await acceptAs(stranger, token)), [403, "email_not_verified"]);
	await verifiedAt(1);
	const welcome = { message: "Welcome to Acme", org_name: "Acme", org_slug: "acme" };
	assert.deepEqual((await acceptAs(stranger, token)).json().data, welcome);
	const { account_ids } = (await app.call("GET /users/me", { as: stranger })).json().data;
	assert.deepEqual(account_ids, ["blog", "far", "shop"]);
	assert.equal((await app.call("GET /organizations", { as: stranger })).json().data.total, 2);
	const [entry] = await auditTrail(app, "invitation.accepted");
	assert.deepEqual([entry?.user, entry?.organization], [stranger.id, team.orgId]);
});

test("an account made with the link that its sender was shown opens nothing until its address is confirmed", async () => {
	const { shown, token: mailed } = await sent({ email });
	const made = (await accept({ token: shown })).json().data;
	assert.match(made.message, /Confirm your email address/);
	assert.deepEqual(codeOf(await accept({ token: mailed })), [409, "conflict"]);
	const as = by(made.access_token);
	const signIn = { email, password: "four words in a row" };
	for (const [route, body] of [
		["GET /users/me"],
		["GET /sites"],
		["POST /api-tokens", { name: "key" }],
		["POST /2fa/setup", { password: signIn.password }],
		["POST /auth/token", signIn],
	] as const) {
		const refused = await app.call(route, { as, ...(body && { body }) });
		assert.deepEqual(codeOf(refused), [403, "email_not_verified"], route);
	}
	const mails = await mailbox(app).to(email);
	const confirmation = mails.find(({ subject }) => subject === "Confirm your email address");
	await app.call("POST /email/verify", { body: { token: tokenOf(confirmation?.links.at(-1)) } });
	assert.deepEqual(codeOf(await app.call("GET /users/me", { as })), [401, "unauthorized"]);
	const again = by((await app.call("POST /auth/token", { body: signIn })).json().data.access_token);
	assert.equal((await app.call("GET /users/me", { as: again })).statusCode, 200);
});

test("a superadmin is shown the mailed link", async () => {
	const root = await app.user("Root", "superadmin");
	await app.call("POST /organizations", { as: root, body: { name: "Ops" } });
	const { invitation_link: link } = (await invite({ email }, root, "ops")).json().data;
	assert.deepEqual((await mailbox(app).to(email))[0]?.links, [link]);
	const as = await accepted(tokenOf(link));
	assert.equal((await app.call("GET /users/me", { as })).statusCode, 200);
});
