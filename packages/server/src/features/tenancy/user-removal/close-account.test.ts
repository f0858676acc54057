import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { password, sharedAccountsApp, userForEach } from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { enableTwoFactor, wrongCode } from "../../../../test/support/authenticator.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { codeOf, fieldsOf } from "../../../../test/support/refusals.ts";
import { findUser, findUserByEmail } from "../../people/users/index.ts";

describe("closing one's own account", () => {
	const app = sharedAccountsApp();
	const ann = userForEach(app, "Ann");

	const close = (body: object, as = ann) => app.call("DELETE /users/me", { as, body });
	const isThere = async () => (await findUserByEmail(app.metadata, "ann@example.com")) !== undefined;

	test("with the password it is gone at once, with the organization that was its alone; the address is told, and free", async () => {
		await app.site(ann);
		const refused = await close({ password: "wrong horse battery 9" });
		assert.deepEqual([refused.statusCode, await isThere()], [400, true]);
		const closed = await close({ password });
		assert.equal(closed.statusCode, 200, closed.body);
		assert.deepEqual(closed.json().data, { message: "The account was closed", organizations_deleted: ["ann"] });
		assert.deepEqual(
			closed.cookies.map(({ name, value }) => [name, value]),
			[
				["svc_access_token", ""],
				["svc_refresh_token", ""],
				["svc_csrf_token", ""],
			],
		);
		assert.deepEqual([await isThere(), app.sites.get("shop")?.isActive], [false, false]);
		assert.equal((await app.call("GET /users/me", { as: ann })).statusCode, 401);
		assert.equal((await mailbox(app).to("ann@example.com")).at(-1)?.subject, "Your account was closed");
		assert.equal((await auditTrail(app, "user.deactivated"))[0]?.user, ann.id);
		assert.notEqual((await app.user("Ann")).id, ann.id);
	});

	test("a second factor is asked too; a backup code does", async () => {
		const { secret, backupCodes } = await enableTwoFactor(app, ann);
		const missing = await close({ password });
		assert.deepEqual(fieldsOf(missing), [422, "body.code"]);
		assert.equal((await close({ password, code: wrongCode(secret, app.clock.now()) })).statusCode, 400);
		assert.equal(await isThere(), true);
		assert.equal((await close({ password, code: backupCodes[0] })).statusCode, 200);
		assert.equal(await isThere(), false);
	});

	test("the last owner of an organization with other members stays, and is told which it is", async () => {
		await app.site(ann);
		const { slug } = (await app.call("GET /organizations", { as: ann })).json().data.organizations[0];
		const root = await app.user("Root", "superadmin");
		const bob = await app.user("Bob");
		const seat = { user_id: bob.id, role: "member" };
		await app.call(`POST /organizations/${slug}/members`, { as: root, body: seat });
		const refused = await close({ password });
		assert.deepEqual(codeOf(refused), [409, "conflict"]);
		assert.match(refused.json().error.message, new RegExp(`only owner of the organization ${slug}`));
		assert.equal((await findUser(app.metadata, ann.id))?.is_active, 1);
		assert.equal((await app.call("GET /users/me", { as: ann })).statusCode, 200);
		assert.equal((await close({ password }, root)).statusCode, 409);
	});

	test("a change of the address that waits ends with the account", async () => {
		await app.call("POST /users/me/email", { as: ann, body: { new_email: "anna@example.org", password } });
		assert.equal((await close({ password })).statusCode, 200);
		const links = (await mailbox(app).to("anna@example.org")).flatMap((mail) => mail.links);
		const link = new URL(links.find((one) => one.includes("/change-address?")) ?? "");
		assert.equal((await app.inject({ url: link.pathname + link.search })).statusCode, 400);
	});
});
