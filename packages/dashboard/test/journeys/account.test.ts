import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { signIn as openSession } from "../../../server/test/support/accounts.ts";
import { totpAt, wrongCode } from "../../../server/test/support/authenticator.ts";
import type { BrowserContext, Page, Route } from "../../../server/test/support/browser.ts";
import { fill, mailedLink, signInAs } from "../support/acts.ts";
import { fits } from "../support/geometry.ts";
import { ann, type Reader, settled, sharedDashboard } from "../support/open-dashboard.ts";

const stepMs = 30_000;

const service = sharedDashboard();

/** The text of a block that is there to be copied. */
const secretIn = async (page: Page, label: string) =>
	(await page.locator(`strong:text-is("${label}")`).locator("xpath=../..").locator("code").textContent()) ?? "";

/** How the service answers somebody who asks for the own account. */
const statusOf = async (headers: Readonly<Record<string, string>>) =>
	(await service.app.inject({ url: "/api/v1/users/me", headers })).statusCode;

test("a key is made in three clicks, shown once, reads what it may, and is refused once it is revoked", async (t) => {
	const { page } = await service.open(t, "/account/tokens");
	await page.getByRole("button", { name: "New API key" }).click();
	await page.getByRole("button", { name: "Create key" }).click();
	await page.getByRole("heading", { name: /created$/ }).waitFor();
	await fits(page, [320, 1440]);
	const call = /^curl "([^"]+)" \\\n {2}-H "X-API-Key: (svc_[A-Za-z0-9]{60})"$/.exec(
		await secretIn(page, "Example request"),
	);
	const [, url = "", key = ""] = call ?? [];
	assert.equal(await secretIn(page, "Key"), key);
	const read = async () => (await fetch(url, { headers: { "X-API-Key": key } })).status;
	assert.equal(await read(), 200);
	await page.getByRole("button", { name: "Done" }).click();
	await page.reload();
	await settled(page);
	assert.equal((await page.content()).includes(key), false);
	await page.getByRole("button", { name: /^Revoke API key/ }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
	await page.getByText("Key revoked.").waitFor();
	assert.equal(await read(), 401);
});

test("the second step is turned on, asked for at sign-in, where a wrong code may be mended and a backup code will do, and turned off", async (t) => {
	const { page } = await service.open(t, "/account/security");
	await page.getByRole("button", { name: "Enable" }).click();
	await page.getByLabel("Current password").fill(ann.password);
	await page.getByRole("button", { name: "Continue" }).click();
	await page.getByAltText("QR code for the authenticator app").waitFor();
	const secret = await secretIn(page, "Or enter this key in the app");
	const codeNow = () => totpAt(secret, service.app.clock.now());
	/** The new backup codes, once somebody says to have saved them. */
	const savedCodes = async (of: Page) => {
		const codes = of.getByRole("list", { name: "Your backup codes" }).getByRole("listitem");
		await codes.first().waitFor();
		await fits(of, [320, 1440]);
		const texts = await codes.allTextContents();
		await of.getByRole("button", { name: "I've saved them" }).click();
		return texts;
	};
	await page.getByLabel("Code", { exact: true }).fill(codeNow());
	await page.getByRole("button", { name: "Verify code" }).click();
	const kept = await savedCodes(page);
	assert.equal(new Set(kept.filter((code) => /^\w{4}-\w{4}-\w{4}$/.test(code))).size, 10);

	// The step of the first code has been used.
	service.app.clock.advance(2 * stepMs);
	const { page: other, goto: open } = await service.read(t, { isStranger: true, meetsErrors: true });
	const proceed = () => other.getByRole("button", { name: "Continue" }).click();
	await open("/account/security");
	await signInAs(other, ann.email);
	await other.getByLabel("Code").fill(wrongCode(secret, service.app.clock.now()));
	await proceed();
	await other.getByText("Wrong code.").waitFor();
	await other.getByRole("button", { name: "Use a backup code instead" }).click();
	await other.getByLabel("Backup code").fill(kept[0] ?? "");
	await proceed();
	await other.getByText("9 backup codes are left.").waitFor();
	await other.getByRole("button", { name: "New backup codes" }).click();
	await other.getByLabel("Code", { exact: true }).fill(codeNow());
	await other.getByRole("button", { name: "New backup codes" }).click();
	const [fresh = ""] = await savedCodes(other);
	assert.equal(kept.includes(fresh), false);
	await other.getByRole("button", { name: "Disable" }).click();
	const dialog = other.getByRole("dialog");
	await fill(dialog, { "Current password": ann.password, "Authenticator code or backup code": fresh });
	await dialog.getByRole("button", { name: "Disable" }).click();
	await other.getByRole("button", { name: "Enable" }).waitFor();
});

test("the address changes once both mails have been answered, and the screen shows its progress", async (t) => {
	const [email, moved] = ["eva@example.com", "eva@example.org"];
	await openSession(service.app, { email, name: "Eva" });
	const { page, context } = await service.open(t, "/account", { as: email, realClock: true });
	await page.getByRole("button", { name: "Change email address" }).click();
	await fill(page, { "New email address": moved, "Your password": ann.password });
	await page.getByRole("button", { name: "Send confirmation emails" }).click();
	await page.getByRole("heading", { name: `Change to ${moved}: waiting for both addresses to confirm` }).waitFor();
	const confirm = async (address: string) => {
		const mail = await context.newPage();
		await mail.goto(await mailedLink(service, address, "/change-address"));
		await mail.getByRole("button", { name: "Confirm change" }).click();
		await mail.getByRole("heading", { name: /Address confirmed|Address changed/ }).waitFor();
		await mail.close();
	};
	await confirm(moved);
	await page.getByText(`${moved} confirmed`).waitFor();
	await page.getByText(`${email}: confirmation email sent`).waitFor();
	await confirm(email);
	await page.getByRole("button", { name: "Change email address" }).waitFor();
	await page.getByText(moved, { exact: true }).waitFor();
});

test("another password ends the other sessions, each session can be ended from here, and whoever closes the account is out", async (t) => {
	const email = "dora@example.com";
	const dora = await openSession(service.app, { email, name: "Dora" });
	const next = "a blue bicycle in the rain";
	const { page, goto } = await service.open(t, "/account/security", { as: email });
	await page.getByText("Unknown browser").waitFor();
	await page.getByRole("button", { name: "Change password" }).click();
	await fill(page, { "Current password": ann.password, "New password": next });
	await page.getByRole("button", { name: "Change password" }).click();
	await page.getByText("Password changed. 1 other session ended.").waitFor();
	await page.getByText("Unknown browser").waitFor({ state: "detached" });
	assert.equal(await statusOf(dora.headers), 401);
	const elsewhere = await service.app.inject({
		method: "POST",
		url: "/api/v1/auth/token",
		headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0" },
		payload: { email, password: next },
	});
	await goto("/account");
	await goto("/account/security");
	await page.getByRole("button", { name: "End session: Firefox on Linux" }).click();
	await page.getByText("Session ended.", { exact: true }).waitFor();
	assert.equal(await statusOf({ authorization: `Bearer ${elsewhere.json().data.access_token}` }), 401);
	await goto("/account");
	await page.getByRole("button", { name: "Delete account" }).click();
	const dialog = page.getByRole("dialog");
	await dialog.getByLabel("Your password").fill(next);
	await dialog.getByLabel(`Type “${email}” to confirm`).fill(email);
	await dialog.getByRole("button", { name: "Delete account" }).click();
	await page.getByRole("heading", { name: "Sign in" }).waitFor();
});

/** Another tab of the same browser. */
async function openTab(context: BrowserContext, address: string): Promise<Page> {
	const tab = await context.newPage();
	await tab.goto(address);
	await settled(tab);
	return tab;
}

test("two tabs whose access has run out renew the session once, both go on, and who signs out in one has signed out in both", async (t) => {
	const { page: one, context } = await service.open(t, "/sites", { realClock: true, meetsErrors: true });
	const other = await openTab(context, `${service.root}/sites`);
	let renewals = 0;
	context.on("request", (request) => {
		if (request.url().endsWith("/api/v1/auth/refresh")) renewals += 1;
	});
	service.app.clock.advance(16 * 60_000);
	const tabs = [one, other];
	const kept = tabs.map((tab) => tab.waitForResponse((answer) => answer.request().method() === "PATCH" && answer.ok()));
	await Promise.all(tabs.map((tab) => tab.getByRole("button", { name: "Pin Shop" }).click()));
	await Promise.all(kept);
	await Promise.all(tabs.map((tab) => tab.getByRole("link", { name: "Shop" }).click()));
	await Promise.all(tabs.map((tab) => tab.getByRole("navigation", { name: "Screens" }).waitFor()));
	await Promise.all(tabs.map((tab) => settled(tab)));
	assert.equal(renewals, 1);
	assert.deepEqual(
		tabs.map((tab) => new URL(tab.url()).pathname),
		["/sites/shop", "/sites/shop"],
	);
	await one.getByRole("button", { name: /^Account/ }).click();
	await one.getByRole("button", { name: /Sign out/ }).click();
	await Promise.all(tabs.map((tab) => tab.waitForURL("**/sign-in")));
});

test("two tabs that watch a site share one stream; when its tab goes, the other takes over", async (t) => {
	const { page, context, goto } = await service.read(t, { meetsErrors: true });
	const streams: string[] = [];
	context.on("request", (request) => {
		if (request.url().includes("/stats/live/stream")) streams.push(request.url());
	});
	await goto("/sites/shop/live");
	await page.getByText("Live (updates within 2 s)", { exact: true }).first().waitFor();
	const other = await openTab(context, `${service.root}/sites/shop/live`);
	await other.getByText("Live (updates within 2 s)", { exact: true }).first().waitFor();
	assert.equal(streams.length, 1);
	const takenOver = context.waitForEvent("request", (request) => request.url().includes("/stats/live/stream"));
	await page.close();
	await takenOver;
	assert.equal(streams.length, 2);
});

describe("without HTTPS, where browsers know no locks", () => {
	/** Signs in under a name that leads here, but that the browser does not take for this machine. */
	async function readPlain(t: TestContext, path: string): Promise<Reader & { readonly plain: string }> {
		const reader = await service.read(t, { isStranger: true, meetsErrors: true });
		const plain = `http://stats.test:${new URL(service.root).port}`;
		await reader.page.goto(plain + path);
		await signInAs(reader.page, ann.email);
		await reader.page.getByRole("navigation", { name: "Screens" }).waitFor();
		assert.equal(await reader.page.evaluate(() => isSecureContext), false);
		return { ...reader, plain };
	}
	const opensReport = async (page: Page) => {
		await page.getByRole("link", { name: "Report" }).click();
		await page
			.getByRole("button", { name: /^Visits/ })
			.first()
			.waitFor();
	};

	test("each tab has a stream of its own, and requests that fail together renew the session once", async (t) => {
		const { page, context } = await readPlain(t, "/sites/shop/live");
		await page.getByText("Live (updates within 2 s)", { exact: true }).first().waitFor();
		let refused = 0;
		const second = page.waitForResponse((answer) => answer.status() === 401 && ++refused === 2);
		let renewals = 0;
		await context.route("**/api/v1/auth/refresh", async (route) => {
			renewals += 1;
			await second;
			await route.continue();
		});
		service.app.clock.advance(16 * 60_000);
		await opensReport(page);
		assert.equal(renewals, 1);
	});

	test("two tabs that renew at the same moment both go on, though one of them is refused", async (t) => {
		const { page, context, plain } = await readPlain(t, "/sites/shop/goals");
		const other = await openTab(context, `${plain}/sites/shop/goals`);
		const url = "/api/v1/auth/refresh";
		// A request that the browser sends later has the cookie of the earlier one: both are sent for it, with the same.
		const cookie = (await context.cookies(plain + url)).map(({ name, value }) => `${name}=${value}`).join("; ");
		const held: Route[] = [];
		const { promise: statuses, resolve: finish } = Promise.withResolvers<readonly number[]>();
		await context.route(`**${url}`, async (route) => {
			if (held.push(route) !== 2) return;
			const answered: number[] = [];
			for (const renewal of held) {
				const headers = { ...renewal.request().headers(), host: new URL(plain).host, cookie };
				const answer = await service.app.inject({ method: "POST", url, headers });
				answered.push(answer.statusCode);
				const cookies = [answer.headers["set-cookie"] ?? []].flat().join("\n");
				const { "content-type": contentType } = answer.headers;
				await renewal.fulfill({
					status: answer.statusCode,
					headers: { "content-type": String(contentType), ...(cookies !== "" && { "set-cookie": cookies }) },
					body: answer.body,
				});
			}
			finish(answered);
		});
		const tabs = [page, other];
		// From now on each request fails at first, also one that a tab sends by itself.
		service.app.clock.advance(16 * 60_000);
		await Promise.all(tabs.map(opensReport));
		assert.deepEqual(await statuses, [200, 401]);
		await Promise.all(tabs.map(settled));
		for (const tab of tabs) assert.equal(new URL(tab.url()).pathname, "/sites/shop");
	});
});
