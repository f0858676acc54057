import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { signIn as openSession } from "../../../server/test/support/accounts.ts";
import { appCallback, askForAccess, exchangeCode, registerApp } from "../../../server/test/support/app-token.ts";
import { totpAt } from "../../../server/test/support/authenticator.ts";
import type { Page } from "../../../server/test/support/browser.ts";
import { mailbox } from "../../../server/test/support/mailbox.ts";
import { geometryFaults } from "../support/geometry.ts";
import { ann, type DashboardService, openDashboard, settled } from "../support/open-dashboard.ts";

const stepMs = 30_000;
/** Ann, once the address is another one. */
const moved = { email: "anna@example.org", password: ann.password };

let service: DashboardService;
before(async () => {
	service = await openDashboard();
});
after(() => service?.close());

const codeOf = (secret: string) => totpAt(secret, service.app.clock.now());

async function linkTo(address: string): Promise<string> {
	const links = (await mailbox(service.app).to(address)).flatMap((mail) => mail.links);
	const link = links
		.flatMap((text) => URL.parse(text) ?? [])
		.findLast(({ pathname }) => pathname === "/change-address");
	assert.ok(link, `no link to ${address}`);
	return service.root + link.pathname + link.search;
}

/** Nothing overflows or overlaps, on a desk and on a small phone. */
async function fits(page: Page): Promise<void> {
	for (const width of [320, 1440]) {
		await page.setViewportSize({ width, height: 900 });
		assert.deepEqual(await geometryFaults(page), [], `${width} px`);
	}
}

/** The text of a block that is there to be copied. */
const secretIn = async (page: Page, label: string) =>
	(await page.locator(`strong:text-is("${label}")`).locator("xpath=../..").locator("code").textContent()) ?? "";

async function signIn(page: Page, { email, password }: { email: string; password: string }) {
	await page.getByLabel("Email").fill(email);
	await page.getByLabel("Password").fill(password);
	await page.getByRole("button", { name: "Sign in" }).click();
}

test("a key is made in three clicks, shown once, reads what it may, and is refused once it is revoked", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/account/tokens");
	await page.getByRole("button", { name: "New API key" }).click();
	await fits(page);
	await page.getByRole("button", { name: "Create key" }).click();
	await page.getByRole("heading", { name: /created$/ }).waitFor();
	await fits(page);
	const call = /^curl "([^"]+)" \\\n {2}-H "X-API-Key: (svc_[A-Za-z0-9]{60})"$/.exec(
		await secretIn(page, "Example request"),
	);
	const [, url = "", key = ""] = call ?? [];
	assert.equal(await secretIn(page, "Key"), key);
	const read = () => fetch(url, { headers: { "X-API-Key": key } });
	const answer = await read();
	assert.deepEqual([answer.status, typeof (await answer.json()).data.traffic.entrances], [200, "number"]);
	await page.getByRole("button", { name: "Done" }).click();
	await page.reload();
	await settled(page);
	assert.equal((await page.content()).includes(key), false);
	await page
		.getByText("used now")
		.or(page.getByText(/used \d+ second/))
		.first()
		.waitFor();
	await page.getByRole("button", { name: /^Revoke API key/ }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
	await page.getByText("Key revoked.").waitFor();
	assert.equal((await read()).status, 401);
	await leave();
});

test("an app that was let in reads, is listed with what it reads, and is refused once it is disconnected", async () => {
	const { page, context, goto, leave } = await service.read();
	await context.route(`${appCallback}*`, (route) =>
		route.fulfill({ contentType: "text/html", body: "<title>App</title>" }),
	);
	const clientId = await registerApp(service.app, { client_name: "Notebook" });
	const asked = new URL(String((await askForAccess(service.app, clientId)).headers.location));
	await page.goto(service.root + asked.pathname + asked.search);
	await page.check('input[name=site_id][value="shop"]');
	await page.getByRole("button", { name: "Allow" }).click();
	await page.waitForURL(/^https:\/\/app\.example\/callback\?/);
	const code = new URL(page.url()).searchParams.get("code") ?? "";
	const { access_token: token } = (await exchangeCode(service.app, clientId, code)).json();
	const read = () =>
		service.app.inject({
			url: "/api/v1/stats/overview?site_id=shop&period=7d",
			headers: { authorization: `Bearer ${token}` },
		});
	const first = await read();
	assert.equal(first.statusCode, 200, first.body);
	await goto("/account/apps");
	await page.getByText(/can read reports of Shop · offline access · since/).waitFor();
	await page.getByRole("button", { name: "Disconnect Notebook" }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
	await page.getByText("No connected apps.").waitFor();
	assert.equal((await read()).statusCode, 401);
	await leave();
});

test("the second step is turned on with a first code, asked for at the next sign-in, and turned off", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/account/security");
	await page.getByRole("button", { name: "Enable" }).click();
	await page.getByLabel("Current password").fill(ann.password);
	await page.getByRole("button", { name: "Continue" }).click();
	await page.getByAltText("QR code for the authenticator app").waitFor();
	const secret = await secretIn(page, "Or enter this key in the app");
	await fits(page);
	await page.getByLabel("Code", { exact: true }).fill(codeOf(secret));
	await page.getByRole("button", { name: "Verify code" }).click();
	const codes = page.getByRole("list", { name: "Your backup codes" }).getByRole("listitem");
	await codes.first().waitFor();
	await fits(page);
	const kept = await codes.allTextContents();
	assert.equal(new Set(kept.filter((code) => /^\w{4}-\w{4}-\w{4}$/.test(code))).size, 10);
	await page.getByRole("button", { name: "I've saved them" }).click();
	await page.getByText("10 backup codes are left.").waitFor();

	service.app.clock.advance(2 * stepMs);
	const other = await service.read({ isStranger: true });
	await other.goto("/account/security");
	await signIn(other.page, ann);
	await other.page.getByLabel("Code").fill(codeOf(secret));
	await other.page.getByRole("button", { name: "Continue" }).click();
	await other.page.getByText("10 backup codes are left.").waitFor();
	service.app.clock.advance(2 * stepMs);
	await other.page.getByRole("button", { name: "New backup codes" }).click();
	await other.page.getByLabel("Code", { exact: true }).fill(codeOf(secret));
	await other.page.getByRole("button", { name: "New backup codes" }).click();
	const anew = other.page.getByRole("list", { name: "Your backup codes" }).getByRole("listitem");
	await anew.first().waitFor();
	const [fresh = ""] = await anew.allTextContents();
	assert.equal(kept.includes(fresh), false);
	await other.page.getByRole("button", { name: "I've saved them" }).click();
	await other.page.getByRole("button", { name: "Disable" }).click();
	const dialog = other.page.getByRole("dialog");
	await dialog.getByLabel("Current password").fill(ann.password);
	await dialog.getByLabel("Authenticator code or backup code").fill(fresh);
	await dialog.getByRole("button", { name: "Disable" }).click();
	await other.page.getByRole("button", { name: "Enable" }).waitFor();
	await other.leave();
	await leave();
});

test("the address changes once both mails have been answered, and the screen tells how far it is", async () => {
	const { page, context, goto, leave } = await service.read({ realClock: true });
	await goto("/account");
	await page.getByRole("button", { name: "Change email address" }).click();
	await page.getByLabel("New email address").fill("anna@example.org");
	await page.getByLabel("Your password").fill(ann.password);
	await page.getByRole("button", { name: "Send confirmation emails" }).click();
	await page
		.getByRole("heading", { name: "Change to anna@example.org: waiting for both addresses to confirm" })
		.waitFor();
	const confirm = async (address: string, title: string) => {
		const mail = await context.newPage();
		await mail.goto(await linkTo(address));
		await mail.getByRole("button", { name: "Confirm the change" }).click();
		await mail.getByRole("heading", { name: title }).waitFor();
		await mail.close();
	};
	await confirm("anna@example.org", "This address has confirmed");
	await page.getByText("anna@example.org confirmed").waitFor();
	await page.getByText("ann@example.com: confirmation email sent").waitFor();
	await confirm("ann@example.com", "The address was changed");
	await page.getByRole("button", { name: "Change email address" }).waitFor();
	await page.getByText("anna@example.org", { exact: true }).waitFor();
	await leave();
	const later = await service.read({ as: moved.email });
	await later.goto("/account");
	await later.page.getByText("anna@example.org", { exact: true }).waitFor();
	await later.leave();
});

test("how pages look is chosen once for all browsers, holds at once, and is taken back where it is told", async () => {
	const { page, goto, leave } = await service.read({ as: moved.email });
	await goto("/account");
	await page.getByLabel("Tables").selectOption("Compact");
	await page.locator("html[data-density=compact]").waitFor({ state: "attached" });
	await page.getByRole("button", { name: "Undo" }).click();
	await page.locator("html[data-density=comfortable]").waitFor({ state: "attached" });
	await page.getByLabel("First day of the week").selectOption("Sunday");
	await page.getByText("Saved.").last().waitFor();
	await leave();
	const other = await service.read({ as: moved.email });
	await other.goto("/sites/shop");
	await other.page.getByRole("region", { name: "Hours and weekdays" }).scrollIntoViewIfNeeded();
	const days = other.page.getByRole("grid", { name: "Hours and weekdays" }).getByRole("rowheader");
	await days.first().waitFor();
	assert.deepEqual(await days.allTextContents(), ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]);
	await other.leave();
});

test("whoever acts as somebody else sees nothing of that account, and is told why", async () => {
	const root = await openSession(service.app, { email: "root@example.com", name: "Root", role: "superadmin" });
	const reader = await service.read({ as: root.email });
	const csrf = (await reader.context.cookies()).find(({ name }) => name === "svc_csrf_token")?.value ?? "";
	const acting = await reader.context.request.post(`${service.root}/api/v1/admin/impersonate-user`, {
		headers: { "x-csrf-token": decodeURIComponent(csrf) },
		data: { user_id: service.ann.userId, reason: "A journey" },
	});
	assert.equal(acting.status(), 200);
	for (const path of ["", "/security", "/tokens", "/apps"]) {
		await reader.goto(`/account${path}`);
		await reader.page.getByText(/Only anna@example\.org can manage this account/).waitFor();
		assert.equal(await reader.page.getByRole("main").getByRole("button").count(), 0);
	}
	await reader.goto("/developers");
	assert.equal(await reader.page.getByRole("button", { name: "New API key" }).count(), 0);
	await reader.leave();
});

test("whoever closes the account is told what goes, and is out", async () => {
	const cleo = await openSession(service.app, { email: "cleo@example.com", name: "Cleo" });
	const { page, goto, leave } = await service.read({ as: cleo.email });
	await goto("/account");
	await page.getByRole("button", { name: "Delete account" }).click();
	const dialog = page.getByRole("dialog");
	await dialog.getByLabel("Your password").fill(ann.password);
	await dialog.getByLabel("Type “cleo@example.com” to confirm").fill("cleo@example.com");
	await dialog.getByRole("button", { name: "Delete account" }).click();
	await page.waitForURL(/\/sign-in/);
	await page.getByRole("heading", { name: "Sign in" }).waitFor();
	const me = await service.app.inject({ url: "/api/v1/users/me", headers: cleo.headers });
	assert.equal(me.statusCode, 401);
	await leave();
});

test("another password ends the other sessions, and each session can be ended from here", async () => {
	const dora = await openSession(service.app, { email: "dora@example.com", name: "Dora" });
	const next = "a blue bicycle in the rain";
	const { page, context, goto, leave } = await service.read({ as: dora.email, password: ann.password });
	await goto("/account/security");
	await page.getByText("Unknown browser").waitFor();
	await page.getByRole("button", { name: "Change password" }).click();
	await page.getByLabel("Current password").fill(ann.password);
	await page.getByLabel("New password").fill(next);
	await page.getByRole("button", { name: "Change password" }).click();
	await page.getByText("Password changed. 1 other session ended.").waitFor();
	await page.getByText("Unknown browser").waitFor({ state: "detached" });
	const elsewhere = await service.app.inject({
		method: "POST",
		url: "/api/v1/auth/token",
		headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0" },
		payload: { email: dora.email, password: next },
	});
	assert.equal(elsewhere.statusCode, 200, elsewhere.body);
	await goto("/account/security");
	await page.getByRole("button", { name: "End session: Firefox on Linux" }).click();
	await page.getByText("Session ended.").waitFor();
	const headers = { authorization: `Bearer ${elsewhere.json().data.access_token}` };
	assert.equal((await service.app.inject({ url: "/api/v1/users/me", headers })).statusCode, 401);
	assert.equal((await context.request.get(`${service.root}/api/v1/users/me`)).status(), 200);
	await leave();
});
