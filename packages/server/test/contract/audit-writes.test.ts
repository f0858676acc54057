import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { listMigrations } from "../../src/features/collecting/migration/store.ts";
import { findUserByEmail } from "../../src/features/people/users/index.ts";
import { listFailedJobs } from "../../src/platform/jobs/job-overview.ts";
import { sha256Hex } from "../../src/platform/lib/crypto.ts";
import type { Headers } from "../support/access-people.ts";
import { targetEnv } from "../support/access-targets.ts";
import { appOnBothEngines } from "../support/app-on-both-engines.ts";
import { auditTrail } from "../support/audit-trail.ts";
import { type AuditedWrites, auditedWrites, changeSecondFactor, withoutEntry } from "../support/audited-writes.ts";
import { type BigQueryStandIn, openBigQueryStandIn, serviceAccount } from "../support/bigquery-stand-in.ts";
import { pendingRequest, registerApp } from "../support/oauth-flow.ts";
import { operationsOf } from "../support/operations.ts";
import { provisionEnv, provisionKey } from "../support/provisioning.ts";
import type { TestApp } from "../support/test-app.ts";

const newPassword = "a completely different phrase 9";

appOnBothEngines("every write leaves its entry in the audit log", (open) => {
	let app: TestApp;
	let google: BigQueryStandIn;
	let writes: AuditedWrites;
	let everybody: AuditedWrites["everybody"];
	let root: Headers;
	const does: AuditedWrites["does"] = (...step) => writes.does(...step);
	const userId = async (email: string) => (await findUserByEmail(app.metadata, email))?.id ?? 0;
	/** Makes, changes and deletes a thing. */
	const keeps = async (path: string, id: string, name: string) => {
		await does(`POST ${path}`, `${name}.created`);
		await does(`PATCH ${path}/${id}`, `${name}.updated`);
		await does(`DELETE ${path}/${id}`, `${name}.deleted`);
	};

	before(async () => {
		google = await openBigQueryStandIn();
		const env = { BIGQUERY_URL: google.url, RATE_LIMIT_ENABLED: "false", REGISTRATION: "open" };
		app = await open({ env: { ...provisionEnv, ...targetEnv, ...env } });
		writes = await auditedWrites(app);
		({ everybody } = writes);
		root = everybody.sessions.superadmin;
	});
	after(async () => {
		await app.close();
		await google.close();
	});

	test("settings of a site", async () => {
		await does("POST /sites", "site.created", { body: { name: "New" } });
		await does("PATCH /sites/{id}", "site.updated");
		await does("POST /sites/{id}/goals/{goal_id}/count-earlier", "goal.earlier_visits_counted");
		await does("POST /sites/{id}/domains", "domain.created");
		await does("DELETE /sites/{id}/domains/{domain}", "domain.deleted");
		await does("DELETE /sites/{id}/domains", "domain.deleted", { ids: { domain: "more.example" } });
		await does("POST /sites/{id}/utm-mappings", "utm_mapping.created");
		await does("PATCH /sites/{id}/utm-mappings/{mapping_id}", "utm_mapping.updated");
		await does("PATCH /sites/{id}/utm-mappings", "utm_mapping.updated");
		await does("DELETE /sites/{id}/utm-mappings/{mapping_id}", "utm_mapping.deleted", { ids: { mapping_id: "src" } });
		await does("DELETE /sites/{id}/utm-mappings", "utm_mapping.deleted", { ids: { custom_param: "med" } });
		await does("POST /sites/{id}/users", "member.created", { body: { user_id: everybody.ids.member } });
		await does("PATCH /sites/{id}/users/{user_id}", "member.updated");
		await does("DELETE /sites/{id}/users/{user_id}", "member.deleted");
		await does("DELETE /sites/{id}/data", "data_deletion.started");
		await does("DELETE /sites/{id}", "site.deleted", { ids: { id: "doomed" } });
	});

	test("figures of an older service", async () => {
		const [job] = (await listMigrations(app.metadata, "shop")).filter(({ status }) => status === "pending");
		await does("POST /migration/jobs/{job_id}/cancel", "", { ids: { job_id: String(job?.id) } });
		await does("POST /migration/accounts/{id}/jobs", "migration.started");
	});

	test("notes, saved views, segments and rules of attribution", async () => {
		await keeps("/annotations", "{id}", "annotation");
		await keeps("/saved-views", "{id}", "saved_view");
		await does("POST /segments", "segment.created");
		await does("POST /segments/{id}/duplicate", "segment.created");
		await does("PUT /segments/{id}", "segment.updated");
		await does("PATCH /segments/{id}", "segment.updated");
		await does("DELETE /segments/{id}", "segment.deleted");
		await keeps("/channel-groups", "{rule_id}", "channel_rule");
		await does("POST /channel-groups/import", "channel_rule.updated");
		await keeps("/passthrough-referrers", "{referrer_id}", "passthrough");
		await keeps("/referrer-mappings", "{mapping_id}", "referrer_mapping");
	});

	test("rules on addresses", async () => {
		await does("PUT /ip-allowlist/settings", "ip_allowlist.settings_updated");
		const { id } = await does("POST /ip-allowlist/patterns", "ip_pattern.created");
		await does("PATCH /ip-allowlist/patterns/{id}", "ip_pattern.updated");
		await does("DELETE /ip-allowlist/patterns/{id}", "ip_pattern.deleted");
		await does("POST /ip-allowlist/patterns/bulk", "ip_pattern.created");
		await does("POST /ip-allowlist/patterns/bulk-delete", "ip_pattern.deleted", { body: { pattern_ids: [id] } });
		await does("POST /ip-allowlist/import", "ip_pattern.created");
		await keeps("/blocklist-ips", "{entry_id}", "blocklist");
	});

	test("alert rules and mail reports", async () => {
		await does("POST /webhooks/{endpoint_id}/rotate-secret", "webhook.secret_rotated");
		await keeps("/webhooks", "{endpoint_id}", "webhook");
		await keeps("/alerts/rules", "{id}", "alert_rule");
		await does("PATCH /lens/settings", "lens.settings_updated");
		await keeps("/mail-reports", "{id}", "mail_report");
		await does("POST /sites/{id}/share-links/{link_id}/renew", "share_link.renewed");
		await keeps("/sites/{id}/share-links", "{link_id}", "share_link");
		await does("POST /exports", "export.created");
		await app.jobs.runDue();
		await does("POST /imports/{import_id}/run", "import.started");
		await app.jobs.runDue();
		await does("POST /imports/{import_id}/undo", "import.undone");
		await does("DELETE /imports/{import_id}", "");
	});

	test("BigQuery", async () => {
		const body = { service_account: serviceAccount, gcp_project_id: "shop-project" };
		await does("POST /integrations/bigquery", "bigquery.created", { body });
		writes.secrets.push(serviceAccount.private_key, serviceAccount.client_email);
		await does("PATCH /integrations/bigquery", "bigquery.updated");
		await does("DELETE /integrations/bigquery", "bigquery.deleted");
	});

	test("organizations, members, invitations and plans", async () => {
		await does("PATCH /organizations/{slug}", "organization.updated");
		await does("POST /organizations/{slug}/members/{user_id}/sites", "member.created");
		const ids = { site_id: "second" };
		await does("DELETE /organizations/{slug}/members/{user_id}/sites/{site_id}", "member.deleted", { ids });
		await does("PATCH /organizations/{slug}/members/{user_id}", "member.updated");
		await does("DELETE /organizations/{slug}/members/{user_id}", "member.deleted");
		const member = { as: root, body: { user_id: everybody.ids.member } };
		await does("POST /organizations/{slug}/members", "member.created", member);
		const invite = async (email: string) => {
			const sent = await does("POST /organizations/{slug}/invitations", "invitation.sent", { body: { email } });
			return new URL(sent.invitation_link ?? "").searchParams.get("token");
		};
		const guest = { as: {}, body: { token: await invite("guest@example.com"), name: "Guest", password: newPassword } };
		await does("POST /invitations/accept", "user.created invitation.accepted member.created user.login", guest);
		const token = await invite("owner-of-another-organization@example.com");
		const as = everybody.sessions["owner of another organization"];
		await does("POST /invitations/accept-existing", "invitation.accepted member.created", { as, body: { token } });
		await does("POST /organizations/{slug}/invitations/{id}/resend", "invitation.resent");
		await does("DELETE /organizations/{slug}/invitations/{id}", "invitation.revoked");
		for (const tier of ["scale", "enterprise"]) {
			await does("PATCH /admin/organizations/{slug}/plan", "plan.changed", { as: root, body: { plan_tier: tier } });
		}
		await does("PUT /billing/accounting-email", "organization.updated", { body: { email: "books@shop.example" } });
		const short = { as: root, body: { name: "Short" } };
		const { slug = "" } = await does("POST /organizations", "organization.created", short);
		await does("DELETE /organizations/{slug}", "organization.deleted", { ...short, ids: { slug } });
	});

	test("accounts, their passwords and sessions", async () => {
		const person = { email: "rita@example.com", name: "Rita", password: newPassword, accept_terms: true };
		await does("POST /auth/register", "user.created", { as: {}, body: person });
		const rita = await userId(person.email);
		const token = await writes.oneTimeToken("email_verification", rita);
		await does("POST /email/verify", "user.email_verified user.login", { as: {}, body: { token } });
		const { access_token: access } = await does("POST /auth/token", "user.login", { as: {}, body: person });
		const as = { authorization: `Bearer ${access}` };
		await does("PATCH /users/me", "user.updated", { as });
		const change = { current_password: newPassword, new_password: `${newPassword}8` };
		await does("POST /users/me/password", "user.password_changed", { as, body: change });
		const wish = { new_email: "rita@example.org", password: `${newPassword}8` };
		await does("POST /users/me/email", "user.email_change_requested", { as, body: wish });
		await does("DELETE /users/me/email", "user.email_change_withdrawn", { as });
		await does("POST /auth/logout", "user.logout", { as });
		const reset = { token: await writes.oneTimeToken("password_reset", rita), new_password: `${newPassword}7` };
		await does("POST /auth/reset-password", "user.password_reset", { as: {}, body: reset });
		await does("POST /api-tokens", "token.created", { body: { name: "new" } });
		await does("DELETE /api-tokens/{token_id}", "token.revoked");
		await does("POST /users", "user.created", { as: root, body: { ...person, email: "sam@example.com" } });
		const sam = { email: "sam@example.com", password: newPassword };
		const { access_token: closing } = await does("POST /auth/token", "user.login", { as: {}, body: sam });
		const leaving = { authorization: `Bearer ${closing}` };
		await does("DELETE /users/me", "user.deactivated", { as: leaving, body: { password: newPassword } });
		await does("PATCH /users/{user_id}", "user.updated", { as: root });
		const gone = { as: root, body: { email: "rita@example.com" }, ids: { user_id: String(rita) } };
		for (const path of ["/users", "/admin/users"]) await does(`DELETE ${path}/{user_id}`, "user.deactivated", gone);
		const help = { as: root, body: { user_id: everybody.ids.member, reason: "To help" } };
		const acting = await does("POST /admin/impersonate-user", "user.impersonation_started", help);
		const impersonation = { authorization: `Bearer ${acting.access_token}` };
		await does("DELETE /admin/impersonate-user", "user.impersonation_ended", { as: impersonation });
	});

	test("sessions one by one and together", async () => {
		const as = await everybody.freshSession("org admin");
		const sessions = (await app.inject({ url: "/api/v1/auth/sessions", headers: { ...as } })).json().data.sessions;
		const other = sessions.find((session: { is_current: boolean }) => !session.is_current).id;
		await does("DELETE /auth/sessions/{session_id}", "session.revoked", { as, ids: { session_id: other } });
		await everybody.freshSession("org admin");
		await does("DELETE /auth/sessions", "session.revoked", { as });
	});

	test("jobs that begin anew", async () => {
		await app.jobs.enqueue(app.metadata, { kind: "mail", payload: { sealed: "by another secret" } });
		await app.jobs.runDue();
		const [job] = await listFailedJobs(app.metadata, 1);
		await does("POST /admin/jobs/{id}/retry", "job.retried", { as: root, ids: { id: String(job?.id) } });
	});

	test("the second factor", () => changeSecondFactor(app, writes));

	test("provisioning", async () => {
		const as = { "x-provision-key": provisionKey };
		const body = { site_name: "Cat Shop", email: "cleo@example.com", accept_terms: true };
		await does("POST /provision", "site.created token.created user.created", { as, body });
		const user = await userId(body.email);
		const resend = { token: await writes.oneTimeToken("provision_claim_resend", user) };
		await does("POST /provision/claim/resend", "invitation.resent", { as: {}, body: resend });
		const claim = { token: await writes.oneTimeToken("provision_claim", user), password: newPassword };
		await does("POST /provision/claim", "user.email_verified user.password_changed user.login", {
			as: {},
			body: claim,
		});
	});

	test("letting an app in and out, and signing up on the way", async () => {
		const clientId = await registerApp(app);
		const requestId = await pendingRequest({ app, clientId });
		const approval = { ids: { request_id: requestId }, body: { decision: "approve", site_id: "shop" } };
		const approved = await does("POST /oauth/consent/{request_id}/decision", "oauth_grant.approved", approval);
		writes.secrets.push(requestId, new URL(approved.redirect_to ?? "").searchParams.get("code") ?? "");
		await does("DELETE /oauth/connections/{grant_id}", "oauth_grant.revoked");
		const newcomer = { email: "nora@example.com", name: "Nora", password: newPassword, accept_terms: true };
		const body = { ...newcomer, request_id: await pendingRequest({ app, clientId }), site_name: "Nora" };
		await does("POST /oauth/onboarding", "user.created site.created user.login", { as: {}, body });
	});

	test("an act of a superadmin as another user is found under both", async () => {
		const owner = everybody.ids["org owner"];
		const as = await everybody.freshSession("impersonating superadmin");
		await does("PATCH /sites/{id}", "site.updated", { as, body: { currency: "JPY" } });
		for (const user of [owner, everybody.ids.superadmin]) {
			const url = `/api/v1/audit/logs?action=site.updated&user_id=${user}`;
			const [entry] = (await app.inject({ url, headers: { ...root } })).json().data.logs;
			const expected = { currency: ["EUR", "JPY"], impersonated_by: everybody.ids.superadmin };
			assert.deepEqual([entry.user_id, entry.details], [owner, expected]);
		}
	});

	test("every route that writes was called above, or says why it leaves no entry", () => {
		const writing = operationsOf(app).filter(({ method }) => method !== "GET" && method !== "HEAD");
		const told = new Set([...writes.covered, ...withoutEntry]);
		const untold = writing.filter(({ route }) => !told.has(route));
		assert.deepEqual(untold.map(({ route }) => route).join(), "");
	});

	test("an entry names the site, the thing and its changed fields", async () => {
		const expected = {
			"domain.created": { domain: [null, "shop.example"] },
			"domain.deleted": { domain: ["shop.example", null] },
			"utm_mapping.updated": { maps_to: ["utm_source", "utm_content"] },
			"segment.updated": { display_name: ["Buyers", "Changed"] },
			"channel_rule.updated": { channel_name: ["Ours", "Changed"] },
			"passthrough.updated": { utm_source: ["pay", "changed"] },
			"referrer_mapping.updated": { utm_source: ["news", "changed"] },
			"ip_pattern.updated": { label: [null, "Changed"] },
			"blocklist.updated": { reason: ["", "changed"] },
		};
		for (const [action, details] of Object.entries(expected)) {
			const [entry] = await auditTrail(app, action);
			assert.deepEqual([entry?.site, entry?.details], ["shop", details], action);
			assert.ok(entry?.resource, action);
		}
	});

	test("no entry holds a password, a key, a token or a hash of one", async () => {
		const everything = JSON.stringify(await auditTrail(app));
		assert.ok(writes.secrets.length >= 15, String(writes.secrets.length));
		for (const secret of [...writes.secrets, newPassword, "correct horse", "argon2", provisionKey]) {
			assert.ok(!everything.includes(secret), secret);
			assert.ok(!everything.includes(sha256Hex(secret)), secret);
		}
		assert.doesNotMatch(everything, /svc_[A-Za-z0-9]{10}/);
	});
});
