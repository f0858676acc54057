import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { after, before, test } from "node:test";
import { signIn } from "../../../server/test/support/accounts.ts";
import type { Page } from "../../../server/test/support/browser.ts";
import { giveSiteRole } from "../../../server/test/support/site-roles.ts";
import { openWebhookReceiver, type WebhookReceiver } from "../../../server/test/support/webhook-receiver.ts";
import { ownSignature } from "../../../server/test/support/webhook-signatures.ts";
import { ann, type DashboardService, openDashboard } from "../support/open-dashboard.ts";

let service: DashboardService;
let receiver: WebhookReceiver;
before(async () => {
	receiver = await openWebhookReceiver();
	const outbound = { allowPrivate: true, extraCertificates: [receiver.certificate] };
	service = await openDashboard({}, { outbound });
});
after(async () => {
	await service?.close();
	await receiver?.close();
});

/** Adds an endpoint by its form; answers its secret. */
async function addEndpoint(page: Page, name: string, path: string): Promise<string> {
	await page.getByRole("button", { name: "New endpoint" }).click();
	const form = page.getByRole("dialog", { name: "New endpoint" });
	await form.getByLabel("Name").fill(name);
	await form.getByLabel("URL").fill(`${receiver.url}${path}`);
	await form.getByLabel("Headers").fill("X-Shop: 42");
	await form.getByRole("button", { name: "Add endpoint" }).click();
	await form.getByText("Copy it now.").waitFor();
	const secret = await form.locator("code").textContent();
	await form.getByRole("button", { name: "I've saved it" }).click();
	return secret ?? "";
}

const row = (page: Page) => page.getByRole("list", { name: "Deliveries" }).getByRole("listitem");

/** Waits until the list has so many deliveries in a state. */
const listed = (page: Page, count: number, state: string) =>
	row(page)
		.filter({ hasText: state })
		.nth(count - 1)
		.waitFor();

test("a test that fails says why; mended, three are sent again, signed with the secret that was shown", async () => {
	receiver.answers("/hook", { status: 500, body: "upstream is away" });
	const { page, goto, leave } = await service.read();
	await goto("/sites/shop/settings/webhooks");
	await page.getByText("No endpoints yet. Add your server's URL to receive events.").waitFor();
	const secret = await addEndpoint(page, "Ops", "/hook");
	assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
	await page.getByRole("listitem").filter({ hasText: "Ops" }).getByText("not verified").waitFor();

	await page.getByRole("link", { name: "Ops" }).click();
	await page.getByText("No deliveries yet.").waitFor();
	for (const count of [1, 2, 3]) {
		await page.getByRole("button", { name: "Send test" }).click();
		await listed(page, count, "failed");
		await page.getByText("Your server responded 500. It failed to process the event").first().waitFor();
	}
	receiver.answers("/hook", { status: 200, body: "thanks" });
	await page.getByRole("button", { name: "Send test" }).click();
	await page.getByText(/^Responded 200 in \d+ ms\. Endpoint verified\.$/).waitFor();

	await page.getByLabel("Status").selectOption("failed");
	await row(page).filter({ hasText: "succeeded" }).waitFor({ state: "detached" });
	await page.getByLabel("All on this page").check();
	await page.getByRole("button", { name: "Replay 3" }).click();
	await page.getByText("3 deliveries queued again.").waitFor();
	await service.app.jobs.runDue();
	await page.getByLabel("Status").selectOption("success");
	await listed(page, 4, "succeeded");

	const calls = receiver.received.filter(({ path }) => path === "/hook");
	const events = calls.map(({ body }) => JSON.parse(body).event_id);
	assert.equal(calls.length, 7);
	assert.deepEqual(new Set(events.slice(4)), new Set(events.slice(0, 3)));
	for (const call of calls) {
		assert.equal(call.headers["x-service-signature"], ownSignature(secret, call));
		assert.equal(call.headers["x-shop"], "42");
	}
	await leave();
});

test("a delivery shows its attempts, request and answer, and a program that checks its signature", async () => {
	receiver.answers("/slow", { status: 503, headers: { "retry-after": "600" }, body: "in ten minutes" });
	const { page, goto, leave } = await service.read();
	await goto("/sites/shop/settings/webhooks");
	const secret = await addEndpoint(page, "Exports", "/slow");
	await goto("/sites/shop/exports");
	await page.getByRole("button", { name: "Create download link" }).click();
	await page.getByText("Export ready.").waitFor();
	await service.app.jobs.runDue();

	await goto("/sites/shop/settings/webhooks");
	await page.getByRole("link", { name: "Exports", exact: true }).last().click();
	await page.getByRole("link", { name: "export.completed" }).click();
	const attempts = page.getByRole("list", { name: "Attempts" }).getByRole("listitem");
	await attempts.filter({ hasText: "Attempt 1" }).getByText("503").waitFor();
	await attempts.filter({ hasText: "Next attempt" }).getByText("in 10 minutes").waitFor();
	await page.getByText("Your server responded 503. It is busy and asked us to wait.").waitFor();
	await page.getByRole("region", { name: "Response: Body" }).getByText("in ten minutes").waitFor();

	const call = receiver.received.findLast(({ path }) => path === "/slow");
	assert.ok(call);
	assert.deepEqual(
		JSON.parse((await page.getByRole("region", { name: "Request: Body" }).textContent()) ?? ""),
		JSON.parse(call.body),
	);
	const program = (await page.getByRole("tabpanel", { name: "Node" }).locator("code").textContent()) ?? "";
	const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
		env: { WEBHOOK_SECRET: secret, SIGNATURE: String(call.headers["x-service-signature"]) },
		encoding: "utf8",
	});
	assert.deepEqual([stdout.trim(), stderr], ["authentic", ""]);
	await page.getByRole("tab", { name: "Node" }).focus();
	await page.keyboard.press("End");
	await page.getByRole("tabpanel", { name: "curl" }).getByText(`${receiver.url}/slow`).waitFor();
	await leave();
});

test("what has succeeded is sent again only when that is confirmed, and a new secret signs beside the old one", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/sites/shop/settings/webhooks");
	const first = await addEndpoint(page, "Twice", "/twice");
	await page.getByRole("link", { name: "Twice" }).click();
	await page.getByRole("button", { name: "Send test" }).click();
	await listed(page, 1, "succeeded");
	await page.getByRole("button", { name: "New secret" }).click();
	await page.getByRole("dialog").getByText("stays valid for 24 hours").waitFor();
	await page.getByRole("dialog").getByRole("button", { name: "New secret" }).click();
	await page.getByText("Requests are now signed with this secret.").waitFor();
	const second = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
	await page.getByRole("button", { name: "I've saved it" }).click();
	await page.getByText("The previous secret is valid until 22 Nov 2026, 13:00.").waitFor();

	await page.getByLabel(/^Select alert.triggered/).check();
	await page.getByRole("button", { name: "Replay 1" }).click();
	await page.getByRole("dialog").getByText("Your server will receive the same event again").waitFor();
	await page.getByRole("button", { name: "Replay it" }).click();
	await page.getByText("1 delivery queued again.").waitFor();
	await service.app.jobs.runDue();
	await listed(page, 2, "succeeded");
	const call = receiver.received.findLast(({ path }) => path === "/twice");
	assert.ok(call);
	assert.equal(call.headers["x-service-signature"], ownSignature(second, call));
	assert.equal(call.headers["x-service-signature-previous"], ownSignature(first, call));

	await page.getByRole("button", { name: "Disable" }).click();
	await page.getByText("“Twice” disabled.").waitFor();
	await page.getByRole("button", { name: "Undo" }).click();
	await page.getByRole("button", { name: "Disable" }).waitFor();
	await leave();
});

test("a viewer reads what there is, with secrets hidden, and changes nothing", async () => {
	const headers = { "X-Token": "open sesame" };
	const payload = { name: "Hidden", url: `${receiver.url}/in?key=abc`, event_types: ["goal.reached"], headers };
	const url = "/api/v1/webhooks?account_id=shop";
	await service.app.inject({ method: "POST", url, headers: service.ann.headers, payload });
	const vera = await signIn(service.app, { email: "vera@example.com", name: "Vera" });
	await giveSiteRole(service.app, "shop", vera.userId, "viewer");
	const { page, goto, leave } = await service.read({ as: vera.email });
	await goto("/sites/shop/settings/webhooks");
	await page.getByRole("link", { name: "Hidden" }).click();
	await page.getByText(`${receiver.url}/in?[hidden]`).waitFor();
	await page.getByText("X-Token: [hidden]").waitFor();
	const main = page.getByRole("main");
	assert.deepEqual(await main.getByRole("button").allTextContents(), []);
	await goto("/sites/shop/settings/reports");
	await page.getByText("You need the role editor on this site.").waitFor();
	await goto("/sites/shop/settings/access");
	await page.getByText("You need the role admin on this site.").waitFor();
	await leave();
});

test("a draft is there for the user who comes back, without secrets, and for nobody else who signs in", async () => {
	const bob = await signIn(service.app, { email: "bob@example.com", name: "Bob" });
	await giveSiteRole(service.app, "shop", bob.userId, "admin");
	const { page, context, goto } = await service.read();
	// A screen that asks who reads; others ask that later.
	await goto("/account");
	await page.getByRole("heading", { name: "Profile", level: 2 }).waitFor();
	await goto("/sites/shop/settings/webhooks");
	const open = async () => {
		await page.getByRole("button", { name: "New endpoint" }).click();
		const form = page.getByRole("dialog", { name: "New endpoint" });
		return { form, read: () => Promise.all(["Name", "Headers"].map((label) => form.getByLabel(label).inputValue())) };
	};
	const enterAs = async (email: string) => {
		await context.clearCookies();
		await goto("/sites/shop/settings/webhooks");
		await page.getByLabel("Email").fill(email);
		await page.getByLabel("Password").fill(ann.password);
		await page.getByRole("button", { name: "Sign in" }).click();
		return open();
	};
	const first = await open();
	await first.form.getByLabel("Name").fill("Ops");
	await first.form.getByLabel("Headers").fill("Authorization: Bearer sesame");
	assert.deepEqual(await (await enterAs(ann.email)).read(), ["Ops", ""]);
	assert.deepEqual(await (await enterAs("bob@example.com")).read(), ["", ""]);
	const own = await enterAs(ann.email);
	assert.deepEqual(await own.read(), ["", ""]);
	await own.form.getByLabel("Name").fill("Ops");
	await page.keyboard.press("Escape");
	await page.getByRole("button", { name: /^Account/ }).click();
	await page.getByRole("button", { name: /Sign out/ }).click();
	await page.waitForURL("**/sign-in");
	const keys = await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith("footfall-draft")));
	assert.deepEqual(keys, []);
	await context.close();
});
