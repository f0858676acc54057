import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { type AccountsApp, onBothEngines, password, type SignedIn } from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { createTeam, type Team } from "../../../../test/support/team.ts";

const DAY_MS = 86_400_000;

onBothEngines("accepting invitations", (open) => {
	let app: AccountsApp;
	let team: Team;
	let ann: SignedIn;
	let bob: SignedIn;
	let stranger: SignedIn;
	beforeEach(async () => {
		app = await open();
		team = await createTeam(app);
		({ ann, bob, stranger } = team);
	});
	afterEach(() => app.close());

	const invite = (body: object, as = ann, slug = "acme") =>
		app.call(`POST /organizations/${slug}/invitations`, { as, body });
	const sent = async (body: object, as = ann) => {
		const response = await invite(body, as);
		assert.equal(response.statusCode, 201, response.body);
		const { invitation_id: id, invitation_link: link } = response.json().data;
		const [mail] = (await mailbox(app).to(emailOf(body))).slice(-1);
		return { id: id as number, token: tokenOf(mail?.links[0] ?? ""), shown: tokenOf(link) };
	};
	const emailOf = (body: object) => ("email" in body ? String(body.email).trim().toLowerCase() : "");
	const tokenOf = (link: string) => new URL(link).searchParams.get("token") ?? "";
	const look = (token: string) => app.call(`GET /invitations/${token}`);
	const accept = (body: object) =>
		app.call("POST /invitations/accept", { body: { name: "New", password: "four words in a row", ...body } });
	const acceptAs = (as: SignedIn, token: string) =>
		app.call("POST /invitations/accept-existing", { as, body: { token } });
	const resend = (id: number | string, as = ann, slug = "acme") =>
		app.call(`POST /organizations/${slug}/invitations/${id}/resend`, { as });
	const revoke = (id: number | string, as = ann, slug = "acme") =>
		app.call(`DELETE /organizations/${slug}/invitations/${id}`, { as });
	const code = (response: { statusCode: number; json(): { error: { code: string } } }) => [
		response.statusCode,
		response.json().error.code,
	];

	test("whoever came by invitation creates no organization, even after leaving", async () => {
		const { token } = await sent({ email: "new@example.com" });
		const { access_token } = (await accept({ token })).json().data;
		const as = { headers: { authorization: `Bearer ${access_token}` } };
		const create = () => app.call("POST /organizations", { as, body: { name: "Mine" } });
		assert.deepEqual(code(await create()), [409, "conflict"]);
		const { id } = (await app.call("GET /users/me", { as })).json().data;
		assert.equal((await app.call(`DELETE /organizations/acme/members/${id}`, { as })).statusCode, 200);
		assert.equal((await app.call("GET /organizations", { as })).json().data.can_create_org, false);
		assert.deepEqual(code(await create()), [403, "forbidden"]);
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
		assert.deepEqual(code(await acceptAs(stranger, token)), [409, "conflict"]);
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
		assert.deepEqual(code(await accept({ token: mailed })), [409, "conflict"]);
		const by = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
		for (const [route, body] of [
			["GET /users/me"],
			["GET /sites"],
			["POST /api-tokens", { name: "key" }],
			["POST /2fa/setup", { password: "four words in a row" }],
		] as const) {
			const refused = await app.call(route, { as: by(first), ...(body && { body }) });
			assert.deepEqual(code(refused), [403, "email_not_verified"], route);
		}
		const signIn = { email, password: "four words in a row" };
		assert.deepEqual(code(await app.call("POST /auth/token", { body: signIn })), [403, "email_not_verified"]);
		const confirmation = (await mailbox(app).to(email)).find(
			({ subject }) => subject === "Confirm your e-mail address",
		);
		const body = { token: tokenOf(confirmation?.links.at(-1) ?? "") };
		const confirmed = await app.call("POST /email/verify", { body });
		assert.equal(confirmed.statusCode, 200, confirmed.body);
		assert.deepEqual(code(await app.call("GET /users/me", { as: by(first) })), [401, "unauthorized"]);
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

	test("a faulty password is told before whether the address has an account", async () => {
		const { token } = await sent({ email: stranger.email });
		const refused = await accept({ token, password: "short" });
		assert.deepEqual([refused.statusCode, refused.json().error.detail?.[0]?.field], [422, "body.password"]);
	});

	test("an invitation for another address is refused and stays open", async () => {
		const { token } = await sent({ email: "new@example.com" });
		assert.deepEqual(code(await acceptAs(stranger, token)), [403, "forbidden"]);
		assert.deepEqual(code(await acceptAs(bob, token)), [403, "forbidden"]);
		assert.equal((await look(token)).statusCode, 200);
		assert.equal((await accept({ token })).statusCode, 201);
	});

	test("an address that is not verified does not join", async () => {
		const { token } = await sent({ email: stranger.email });
		await app.metadata
			.withTables<Tables>()
			.updateTable("users")
			.set({ email_verified_at: null })
			.where("id", "=", stranger.id)
			.execute();
		assert.deepEqual(code(await acceptAs(stranger, token)), [403, "email_not_verified"]);
	});

	test("an address with an account is not given a second one", async () => {
		const { token } = await sent({ email: stranger.email });
		assert.deepEqual(code(await accept({ token })), [409, "conflict"]);
		assert.equal((await acceptAs(stranger, token)).statusCode, 200);
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
			assert.deepEqual(code(await look(token)), [404, "not_found"]);
			assert.deepEqual(code(await accept({ token })), [404, "not_found"]);
			assert.deepEqual(code(await acceptAs(stranger, token)), [404, "not_found"]);
		}
		assert.deepEqual(code(await look(used.token)), [409, "conflict"]);
		assert.deepEqual(code(await accept({ token: used.token })), [409, "conflict"]);
		assert.deepEqual(code(await acceptAs(stranger, used.token)), [409, "conflict"]);
		app.clock.advance(7 * DAY_MS - 1);
		assert.equal((await look(expired.token)).statusCode, 200);
		app.clock.advance(1);
		assert.deepEqual(code(await look(expired.token)), [404, "not_found"]);
		assert.deepEqual(code(await accept({ token: expired.token })), [404, "not_found"]);
	});

	test("two who accept at once: one joins, the other is told", async () => {
		const { token } = await sent({ email: "new@example.com" });
		const both = await Promise.all([accept({ token }), accept({ token })]);
		assert.deepEqual(both.map(({ statusCode }) => statusCode).sort(), [201, 409]);
		const known = await sent({ email: stranger.email });
		const again = await Promise.all([acceptAs(stranger, known.token), acceptAs(stranger, known.token)]);
		assert.deepEqual(again.map(({ statusCode }) => statusCode).sort(), [200, 409]);
	});

	test("a plan that became too small admits nobody, and the invitation stays", async () => {
		const { token } = await sent({ email: "new@example.com" });
		await team.setPlan("free");
		assert.deepEqual(code(await accept({ token })), [429, "quota_exceeded"]);
		assert.deepEqual(code(await app.call("POST /auth/token", { body: { email: "new@example.com", password } })), [
			401,
			"invalid_credentials",
		]);
		await team.setPlan("growth");
		assert.equal((await accept({ token })).statusCode, 201);
	});

	test("an address tries ten links an hour", async () => {
		const limited = await open({ limited: true });
		try {
			const tries = [];
			for (let i = 0; i < 11; i++) {
				const body = { token: "x".repeat(43), name: "New", password };
				tries.push(await limited.call("POST /invitations/accept", { body }));
			}
			assert.deepEqual(
				tries.map(({ statusCode }) => statusCode),
				[...Array.from({ length: 10 }, () => 404), 429],
			);
			limited.clock.advance(3_600_000);
			const body = { token: "x".repeat(43), name: "New", password };
			assert.equal((await limited.call("POST /invitations/accept", { body })).statusCode, 404);
		} finally {
			await limited.close();
		}
	});
});
