import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { password, type SignedIn, sharedAccountsApp } from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { codeOf, fieldsOf } from "../../../../test/support/refusals.ts";
import { invitationCalls, teamForEach } from "../../../../test/support/team.ts";

const DAY_MS = 86_400_000;

describe("accepting invitations", () => {
	const app = sharedAccountsApp();
	const team = teamForEach(app);
	const { ann, bob, stranger } = team;

	const { tokenOf, sent, look, accept, resend, revoke } = invitationCalls(app, () => ann);
	const acceptAs = (as: SignedIn, token: string) =>
		app.call("POST /invitations/accept-existing", { as, body: { token } });

	test("whoever came by invitation creates no organization, even after leaving", async () => {
		const { token } = await sent({ email: "new@example.com" });
		const { access_token } = (await accept({ token })).json().data;
		const as = { headers: { authorization: `Bearer ${access_token}` } };
		const create = () => app.call("POST /organizations", { as, body: { name: "Mine" } });
		assert.deepEqual(codeOf(await create()), [409, "conflict"]);
		const { id } = (await app.call("GET /users/me", { as })).json().data;
		assert.equal((await app.call(`DELETE /organizations/acme/members/${id}`, { as })).statusCode, 200);
		assert.equal((await app.call("GET /organizations", { as })).json().data.can_create_org, false);
		assert.deepEqual(codeOf(await create()), [403, "forbidden"]);
	});

	test("a user accepts next to the organization that the user has", async () => {
		const { token } = await sent({ email: stranger.email, role: "admin", site_ids: ["nowhere"] });
		const response = await acceptAs(stranger, token);
		assert.equal(response.statusCode, 200);
		assert.deepEqual(response.json().data, { message: "Welcome to Acme", org_name: "Acme", org_slug: "acme" });
		const { account_ids } = (await app.call("GET /users/me", { as: stranger })).json().data;
		assert.deepEqual(account_ids, ["blog", "far", "shop"]);
		const { organizations } = (await app.call("GET /organizations", { as: stranger })).json().data;
		assert.deepEqual(organizations.map(({ slug }: { slug: string }) => slug).sort(), ["acme", "other"]);
		assert.deepEqual(codeOf(await acceptAs(stranger, token)), [409, "conflict"]);
		const [accepted] = await auditTrail(app, "invitation.accepted");
		assert.deepEqual([accepted?.user, accepted?.organization], [stranger.id, team.orgId]);
	});

	test("an account made with the link that its sender was shown opens nothing until its address is confirmed", async () => {
		const email = "victim@example.com";
		const { shown, token: mailed } = await sent({ email });
		const accepted = await accept({ token: shown });
		assert.equal(accepted.statusCode, 201, accepted.body);
		const { access_token: first, message } = accepted.json().data;
		assert.match(message, /Confirm your e-mail address/);
		assert.deepEqual(codeOf(await accept({ token: mailed })), [409, "conflict"]);
		const by = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
		for (const [route, body] of [
			["GET /users/me"],
			["GET /sites"],
			["POST /api-tokens", { name: "key" }],
			["POST /2fa/setup", { password: "four words in a row" }],
		] as const) {
			const refused = await app.call(route, { as: by(first), ...(body && { body }) });
			assert.deepEqual(codeOf(refused), [403, "email_not_verified"], route);
		}
		const signIn = { email, password: "four words in a row" };
		assert.deepEqual(codeOf(await app.call("POST /auth/token", { body: signIn })), [403, "email_not_verified"]);
		const confirmation = (await mailbox(app).to(email)).find(
			({ subject }) => subject === "Confirm your e-mail address",
		);
		const body = { token: tokenOf(confirmation?.links.at(-1) ?? "") };
		const confirmed = await app.call("POST /email/verify", { body });
		assert.equal(confirmed.statusCode, 200, confirmed.body);
		assert.deepEqual(codeOf(await app.call("GET /users/me", { as: by(first) })), [401, "unauthorized"]);
		const { access_token: second } = (await app.call("POST /auth/token", { body: signIn })).json().data;
		assert.equal((await app.call("GET /users/me", { as: by(second) })).statusCode, 200);
	});

	test("a superadmin is shown the mailed link", async () => {
		const root = await app.user("Root", "superadmin");
		await app.call("POST /organizations", { as: root, body: { name: "Ops" } });
		const body = { email: "new@example.com" };
		const answer = await app.call("POST /organizations/ops/invitations", { as: root, body });
		const { invitation_link: link } = answer.json().data;
		assert.deepEqual((await mailbox(app).to("new@example.com"))[0]?.links, [link]);
		const { access_token } = (await accept({ token: tokenOf(link) })).json().data;
		const as = { headers: { authorization: `Bearer ${access_token}` } };
		assert.equal((await app.call("GET /users/me", { as })).statusCode, 200);
	});

	test("an invitation for another address is refused and stays open", async () => {
		const { token } = await sent({ email: "new@example.com" });
		assert.deepEqual(codeOf(await acceptAs(stranger, token)), [403, "forbidden"]);
		assert.deepEqual(codeOf(await acceptAs(bob, token)), [403, "forbidden"]);
		assert.equal((await look(token)).statusCode, 200);
		assert.equal((await accept({ token })).statusCode, 201);
	});

	test("an address with an account gets no second one, joins once it is verified, and faults come first", async () => {
		const { token } = await sent({ email: stranger.email });
		const faulty = await accept({ token, password: "short" });
		assert.deepEqual(fieldsOf(faulty), [422, "body.password"]);
		assert.deepEqual(codeOf(await accept({ token })), [409, "conflict"]);
		await app.metadata
			.withTables<Tables>()
			.updateTable("users")
			.set({ email_verified_at: null })
			.where("id", "=", stranger.id)
			.execute();
		assert.deepEqual(codeOf(await acceptAs(stranger, token)), [403, "email_not_verified"]);
	});

	test("unknown, expired, revoked and replaced links are not found; an accepted one is a conflict", async () => {
		const [expired, revoked, replaced, used] = [
			await sent({ email: "expired@example.com" }),
			await sent({ email: "revoked@example.com" }),
			await sent({ email: "replaced@example.com" }),
			await sent({ email: "used@example.com" }),
		];
		assert.deepEqual((await revoke(revoked.id)).json().data, { message: "Invitation revoked" });
		assert.equal((await resend(replaced.id)).statusCode, 200);
		assert.equal((await accept({ token: used.token })).statusCode, 201);
		for (const token of [revoked.token, replaced.token, "x".repeat(43), "x".repeat(20)]) {
			assert.deepEqual(codeOf(await look(token)), [404, "not_found"]);
			assert.deepEqual(codeOf(await accept({ token })), [404, "not_found"]);
			assert.deepEqual(codeOf(await acceptAs(stranger, token)), [404, "not_found"]);
		}
		assert.deepEqual(codeOf(await look(used.token)), [409, "conflict"]);
		assert.deepEqual(codeOf(await accept({ token: used.token })), [409, "conflict"]);
		assert.deepEqual(codeOf(await acceptAs(stranger, used.token)), [409, "conflict"]);
		app.clock.advance(7 * DAY_MS - 1);
		assert.equal((await look(expired.token)).statusCode, 200);
		app.clock.advance(1);
		assert.deepEqual(codeOf(await look(expired.token)), [404, "not_found"]);
		assert.deepEqual(codeOf(await accept({ token: expired.token })), [404, "not_found"]);
	});

	test("a plan that became too small admits nobody, and the invitation stays", async () => {
		const { token } = await sent({ email: "new@example.com" });
		await team.setPlan("free");
		assert.deepEqual(codeOf(await accept({ token })), [429, "quota_exceeded"]);
		assert.deepEqual(codeOf(await app.call("POST /auth/token", { body: { email: "new@example.com", password } })), [
			401,
			"invalid_credentials",
		]);
		await team.setPlan("growth");
		assert.equal((await accept({ token })).statusCode, 201);
	});
});
