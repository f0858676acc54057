import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type AccountsApp, onBothEngines, password, type SignedIn } from "../../../../../test/support/accounts-app.ts";
import {
	appCallback,
	approvedCode,
	appTokens,
	appVerifier,
	askForAccess,
	registerApp,
	requestIdIn,
	sendForm,
} from "../../../../../test/support/app-token.ts";
import { auditTrail } from "../../../../../test/support/audit-trail.ts";
import { mailbox } from "../../../../../test/support/mailbox.ts";
import { issueOneTimeToken } from "../../../people/one-time-tokens/index.ts";
import { deleteSiteMember, insertSiteMember } from "../../../tenancy/sites/index.ts";

onBothEngines("what an app was given", (open) => {
	let app: AccountsApp;
	let ann: SignedIn;
	let site: string;
	before(async () => {
		app = await open();
		ann = await app.user("Ann");
		site = await app.site(ann);
	});
	after(() => app.close());

	const refresh = (clientId: string, token: string) =>
		sendForm(app, "/oauth/token", { grant_type: "refresh_token", client_id: clientId, refresh_token: token });
	const asApp = (token: string, path = `/sites/${site}`) =>
		app.call(`GET ${path}`, { headers: { authorization: `Bearer ${token}` } });
	const revocations = async () =>
		(await auditTrail(app, "oauth_grant.revoked")).map(({ user, details }) => [
			user,
			(details as { reason: string }).reason,
		]);

	test("revoking a refresh token ends the grant, an access token itself alone; the answer is always the same", async () => {
		const { clientId, accessToken, refreshToken } = await appTokens(app, { headers: ann.headers, site });
		const stranger = await registerApp(app);
		const revoke = async (fields: Readonly<Record<string, string>>) => {
			const response = await sendForm(app, "/oauth/revoke", fields);
			assert.deepEqual([response.statusCode, response.json()], [200, {}]);
		};
		await revoke({});
		const nothing = await app.inject({ method: "POST", url: "/api/v1/oauth/revoke" });
		assert.deepEqual([nothing.statusCode, nothing.json()], [200, {}]);
		await revoke({ token: "oat_unknown", token_type_hint: "nonsense" });
		await revoke({ token: refreshToken, client_id: stranger });
		const { access_token: second, refresh_token: next } = (await refresh(clientId, refreshToken)).json();
		await revoke({ token: accessToken, token_type_hint: "refresh_token" });
		assert.deepEqual([(await asApp(accessToken)).statusCode, (await asApp(second)).statusCode], [401, 200]);
		await revoke({ token: next, client_id: clientId });
		assert.equal((await asApp(second)).statusCode, 401);
		assert.equal((await refresh(clientId, next)).json().error, "invalid_grant");
		assert.deepEqual((await revocations()).at(-1), [ann.id, "revoked by the app"]);
	});

	test("whoever loses the site loses the grant, and does not get it back with the site", async () => {
		const guest = await app.user("Guest");
		const give = () =>
			insertSiteMember(app.metadata, { siteId: site, userId: guest.id, role: "viewer", nowMs: app.clock.now() });
		await give();
		const { clientId, accessToken, refreshToken } = await appTokens(app, { headers: guest.headers, site });
		const idle = await appTokens(app, { headers: guest.headers, site });
		assert.equal((await asApp(accessToken)).statusCode, 200);
		await deleteSiteMember(app.metadata, site, guest.id);
		const refused = await asApp(accessToken);
		assert.deepEqual([refused.statusCode, refused.json().error.message], [401, "Invalid token"]);
		assert.equal((await refresh(idle.clientId, idle.refreshToken)).json().error, "invalid_grant");
		await give();
		assert.equal((await asApp(accessToken)).statusCode, 401);
		assert.equal((await refresh(clientId, refreshToken)).json().error, "invalid_grant");
		assert.deepEqual((await revocations()).slice(-2), [
			[null, "the user no longer reaches the site"],
			[null, "the user no longer reaches the site"],
		]);
	});

	test("an app of a deactivated user is refused, also once the user is back", async () => {
		const superadmin = await app.user("Root", "superadmin");
		const bob = await app.user("Bob");
		const bobsSite = await app.site(bob, { name: "Bobs" });
		const { accessToken } = await appTokens(app, { headers: bob.headers, site: bobsSite });
		await app.call(`DELETE /users/${bob.id}`, { as: superadmin });
		assert.equal((await asApp(accessToken, "/sites")).statusCode, 401);
		await app.call(`PATCH /users/${bob.id}`, { as: superadmin, body: { is_active: true } });
		assert.equal((await asApp(accessToken, "/sites")).statusCode, 401);
	});

	test("a reset of the password takes from apps what they were allowed, a change of it does not", async () => {
		const dora = await app.user("Dora");
		const dorasSite = await app.site(dora, { name: "Doras" });
		const { clientId, accessToken, refreshToken } = await appTokens(app, { headers: dora.headers, site: dorasSite });
		const waiting = await approvedCode(app, requestIdIn(await askForAccess(app, clientId)), {
			headers: dora.headers,
			site: dorasSite,
		});
		const body = { current_password: password, new_password: "an entirely different secret 8" };
		assert.equal((await app.call("POST /users/me/password", { as: dora, body })).statusCode, 200);
		assert.equal((await asApp(accessToken, "/sites")).statusCode, 200);
		const { token } = await issueOneTimeToken(app.metadata, "password_reset", dora.id, app.clock.now());
		const reset = await app.call("POST /auth/reset-password", { body: { token, new_password: password } });
		assert.deepEqual(reset.json().data, { message: "The password was changed", sessions_terminated: 1 });
		assert.equal((await asApp(accessToken, "/sites")).statusCode, 401);
		assert.equal((await refresh(clientId, refreshToken)).json().error, "invalid_grant");
		const exchanged = await sendForm(app, "/oauth/token", {
			grant_type: "authorization_code",
			client_id: clientId,
			redirect_uri: appCallback,
			code: waiting,
			code_verifier: appVerifier,
		});
		assert.equal(exchanged.json().error, "invalid_grant");
		const again = await app.signIn(dora.email);
		assert.deepEqual((await app.call("GET /oauth/connections", { as: again })).json().data, []);
		assert.equal((await asApp((await appTokens(app, { headers: ann.headers, site })).accessToken)).statusCode, 200);
		assert.deepEqual((await revocations()).slice(-2), [
			[dora.id, "the password was reset"],
			[dora.id, "the password was reset"],
		]);
		const mail = (await mailbox(app).to(dora.email)).at(-1);
		assert.equal(mail?.subject, "Your password was changed");
		assert.match(mail.text, /the access of all apps that you had connected\./);
	});

	test("of a reset and an approval at once, no app keeps its access", async () => {
		const fay = await app.user("Fay");
		const faysSite = await app.site(fay, { name: "Fays" });
		const clientId = await registerApp(app);
		let headers = fay.headers;
		for (let time = 0; time < 5; time++) {
			const requestId = requestIdIn(await askForAccess(app, clientId));
			const { token } = await issueOneTimeToken(app.metadata, "password_reset", fay.id, app.clock.now());
			const body = { decision: "approve", site_id: faysSite };
			await Promise.all([
				app.call(`POST /oauth/consent/${requestId}/decision`, { headers, body }),
				app.call("POST /auth/reset-password", { body: { token, new_password: password } }),
			]);
			const again = await app.signIn(fay.email);
			assert.deepEqual((await app.call("GET /oauth/connections", { as: again })).json().data, []);
			headers = again.headers;
		}
	});

	test("the list of sites has the approved one only", async () => {
		const other = await app.site(ann, { name: "Other" });
		const { accessToken } = await appTokens(app, { headers: ann.headers, site });
		const { data } = (await asApp(accessToken, "/sites")).json();
		assert.deepEqual([data.total, data.sites.map(({ id }: { id: string }) => id)], [1, [site]]);
		const refused = await asApp(accessToken, `/sites/${other}`);
		assert.deepEqual([refused.statusCode, refused.json().error.message], [403, `Access denied to account: ${other}`]);
	});

	test("routes of sessions name the scope that an app cannot have", async () => {
		const { accessToken } = await appTokens(app, { headers: ann.headers, site });
		const headers = { authorization: `Bearer ${accessToken}` };
		const refusals = {
			"GET /auth/sessions": "Required scope: read",
			"GET /oauth/connections": "Required scope: read",
			"POST /sites": "Required scope: write",
			[`PATCH /sites/${site}`]: "Required scope: write",
			"GET /users/me": "Required scope: accounts:read",
			"GET /api-tokens": "Required scope: accounts:read",
		};
		for (const [route, message] of Object.entries(refusals)) {
			const { statusCode, body } = await app.call(route, { headers });
			assert.deepEqual([statusCode, JSON.parse(body).error], [403, { code: "forbidden", message }], route);
		}
	});

	test("a connection tells the minute in which it was last used", async () => {
		const clientId = await registerApp(app, { client_name: "Clock" });
		const { accessToken } = await appTokens(app, { headers: ann.headers, site, clientId });
		const mine = async () => {
			const { data } = (await app.call("GET /oauth/connections", { as: ann })).json();
			return data.find((grant: { client_id: string }) => grant.client_id === clientId);
		};
		app.clock.set("2027-02-03T10:11:42.000Z");
		ann = await app.signIn(ann.email);
		const fresh = await appTokens(app, { headers: ann.headers, site, clientId });
		const { grant_id: grantId, ...rest } = await mine();
		assert.match(grantId, /^[0-9a-f-]{36}$/);
		assert.deepEqual(rest, {
			client_id: clientId,
			client_name: "Clock",
			site_id: site,
			scopes: ["analytics:read", "offline_access"],
			created_at: "2027-02-03T10:11:42.000Z",
			last_used_at: null,
		});
		await asApp(fresh.accessToken);
		assert.equal((await mine()).last_used_at, "2027-02-03T10:11:00.000Z");
		assert.equal((await asApp(accessToken)).statusCode, 401);
	});
});
