import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, beforeEach, describe, test } from "node:test";
import { password, sharedAccountsApp } from "../../../../test/support/accounts-app.ts";
import { enableTwoFactor } from "../../../../test/support/authenticator.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { type PageClient, pageClient } from "../../../../test/support/page-client.ts";
import { freshAddress, provision, provisionEnv } from "../../../../test/support/provisioning.ts";
import { testApp } from "../../../../test/support/test-app.ts";
import { createFirstRunLink } from "../../people/auth/index.ts";

const email = "ann@example.com";
const dashboardDir = mkdtempSync(join(tmpdir(), "footfall-dashboard-"));
after(() => rmSync(dashboardDir, { recursive: true }));
mkdirSync(join(dashboardDir, "assets"));
writeFileSync(join(dashboardDir, "routes.json"), '["/"]');
const boot = '<script type="application/json" id="boot">{}</script>';
writeFileSync(join(dashboardDir, "index.html"), `<html lang="en" data-theme="auto">${boot}</html>`);

describe("where there is a dashboard", () => {
	const app = sharedAccountsApp({ dashboardDir });
	let browser: PageClient;
	beforeEach(() => {
		browser = pageClient(app.inject);
	});
	afterEach(() => {
		const faults = app.logLines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);
		assert.deepEqual(faults, []);
	});

	const newestLink = async (path: string): Promise<string> => {
		const links = (await mailbox(app).to(email)).flatMap((mail) => mail.links);
		return pathOf(links.findLast((link) => link.includes(path)) ?? "https://no.link");
	};
	/** Sends the form of the open page, which has to lead into the application as this user. */
	const leadsIn = async (action: string, fields: Readonly<Record<string, string>>, as = email) => {
		const next = await browser.submit(action, fields);
		assert.equal(next.raw.req.url, "/", next.body);
		const cookies = { svc_access_token: browser.cookies.get("svc_access_token") ?? "" };
		assert.equal((await app.call("GET /auth/me", { cookies })).json().data.email, as);
	};

	test("whoever makes the first account goes on there, signed in", async () => {
		await browser.open(pathOf((await createFirstRunLink({ ...app, rootUrl: "http://127.0.0.1" })) ?? ""));
		await leadsIn("/setup", { name: "Ann", email, password });
	});

	test("whoever confirms an address goes on there, signed in", async () => {
		await app.call("POST /auth/register", { body: { email, name: "Ann", password, accept_terms: true } });
		await browser.open(await newestLink("/verify-email?"));
		await leadsIn("/verify-email", { password });
	});

	test("whoever chose a new password goes on to sign in with it, and is told so", async () => {
		await enableTwoFactor(app, await app.user("Ann"));
		await browser.open("/reset-password");
		await browser.submit("/reset-password/request", { email });
		await browser.open(await newestLink("/reset-password?"));
		const done = await browser.submit("/reset-password", { new_password: "another horse and other staples" });
		assert.equal(done.raw.req.url, "/sign-in?news=password-changed", done.body);
		assert.equal(browser.cookies.get("svc_access_token"), undefined);
	});

	test("whoever accepts an invitation goes on there, with a new account or with the one they had", async () => {
		const owner = await app.user("Olga");
		await app.call("POST /organizations", { as: owner, body: { name: "Tea" } });
		const invite = () => app.call("POST /organizations/tea/invitations", { as: owner, body: { email } });
		await invite();
		await browser.open(await newestLink("/invitation?"));
		await leadsIn("/invitation", { name: "Ann", password });
		const user = (await app.call("GET /organizations/tea/members", { as: owner })).json().data.members[1];
		await app.call(`DELETE /organizations/tea/members/${user.user_id}`, { as: owner });
		await invite();
		await browser.open(await newestLink("/invitation?"));
		await leadsIn("/invitation/accept", {});
	});
});

test("whoever claims a site that was set up for them goes on in the application, signed in", async (t) => {
	const app = await testApp({ env: provisionEnv, dashboardDir });
	t.after(() => app.close());
	const browser = pageClient(app.inject, freshAddress());
	await provision(app);
	const [mail] = await mailbox(app).to("cleo@example.com");
	await browser.open(pathOf(mail?.links.find((link) => link.includes("/claim?token=")) ?? "https://no.link"));
	const page = await browser.submit("/claim", { name: "Cleo", password: "a password of seven cats" });
	assert.equal(page.raw.req.url, "/");
	assert.equal(browser.cookies.has("svc_access_token"), true);
});

function pathOf(link: string): string {
	const { pathname, search } = new URL(link);
	return pathname + search;
}
