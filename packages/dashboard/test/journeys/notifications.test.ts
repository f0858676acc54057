import assert from "node:assert/strict";
import { after, test } from "node:test";
import { signIn } from "../../../server/test/support/accounts.ts";
import type { Page } from "../../../server/test/support/browser.ts";
import { giveSiteRole } from "../../../server/test/support/site-roles.ts";
import { openWebhookReceiver, type WebhookReceiver } from "../../../server/test/support/webhook-receiver.ts";
import { ownSignature } from "../../../server/test/support/webhook-signatures.ts";
import { fill, signInAs } from "../support/acts.ts";
import { ann, openDashboard, sharedDashboard } from "../support/open-dashboard.ts";

let receiver: WebhookReceiver;
const service = sharedDashboard(async () => {
	receiver = await openWebhookReceiver();
	return openDashboard({}, { outbound: { allowPrivate: true, extraCertificates: [receiver.certificate] } });
});
after(() => receiver?.close());

const ofShop = "?account_id=shop&include_inactive=true";
const alerts = "/sites/shop/settings/alerts";
const webhooks = "/sites/shop/settings/webhooks";

test("a mail report is made by keys, tells how each recipient stands, and is tried", async (t) => {
	const friend = "friend@another.example";
	const { page } = await service.open(t, "/sites/shop/settings/reports");
	await page.getByRole("button", { name: "New report" }).focus();
	await page.keyboard.press("Enter");
	const recipients = page.getByLabel("Recipients");
	assert.equal(await recipients.inputValue(), ann.email);
	await recipients.focus();
	await page.keyboard.press("Control+End");
	await page.keyboard.type(`\n${friend}`);
	await page.keyboard.press("Tab");
	await page.keyboard.press("Enter");
	const report = page.getByRole("listitem").filter({ hasText: "Every Monday" });
	await report.getByRole("listitem").filter({ hasText: friend }).getByText("was asked, has not agreed yet").waitFor();
	await report.getByRole("button", { name: "Send to me now" }).click();
	await page.getByText(`Latest report sent to ${ann.email}.`).waitFor();
});

test("an error of a rule is shown at its field, typed values survive a reload, and make the rule", async (t) => {
	const { page, api } = await service.open(t, alerts, { meetsErrors: true });
	await page.getByRole("button", { name: "Add first rule" }).click();
	const form = page.getByRole("dialog", { name: "New rule" });
	await form.getByLabel("Name").fill("No filter");
	await form.getByLabel("Rule type").selectOption("source_change");
	await form.getByLabel("Source").fill("newsletter");
	await page.getByRole("button", { name: "Condition: add to “Filters”" }).click();
	await page.getByLabel("Property", { exact: true }).selectOption("Device");
	await page.getByLabel("Value", { exact: true }).fill("mobile");
	await page.getByRole("button", { name: "Apply" }).click();
	await form.getByLabel("Email addresses").fill("nobody at all");
	await form.getByRole("button", { name: "Create alert" }).click();
	await form.locator('[name="email_recipients"][aria-invalid="true"]').waitFor();
	await page.reload();
	await page.getByRole("button", { name: "Add first rule" }).click();
	await form.getByText("Visits from one source", { exact: false }).waitFor();
	assert.equal(await form.getByLabel("Source").inputValue(), "newsletter");
	await form.getByRole("list", { name: "Filters" }).getByText("Device is mobile").waitFor();
	await form.getByLabel("Email addresses").fill(ann.email);
	await form.getByRole("button", { name: "Create alert" }).click();
	await form.waitFor({ state: "detached" });
	const [rule] = (await api("GET /alerts/rules", ofShop)).rules;
	assert.deepEqual(
		[rule?.["alert_type"], rule?.["custom_condition"], rule?.["email_recipients"]],
		["source_change", { utm_source: "newsletter", filters: "device_type:eq:mobile" }, [ann.email]],
	);
});

test("alerts stand along a line, and are acknowledged by keys", async (t) => {
	const { app } = service;
	const often = { condition_type: "absolute_threshold", threshold_value: 1, comparison_window: "24h" };
	await service.send("POST /alerts/rules?account_id=shop", { name: "Busy phones", ...often });
	await app.jobs.enqueue(app.metadata, { kind: "alert-evaluation" });
	await app.jobs.runDue();
	const { page } = await service.open(t, alerts);
	const history = page.getByRole("region", { name: "History" });
	await history.getByRole("heading", { name: "Sat, 21 Nov 2026" }).waitFor();
	await page.getByRole("button", { name: "Acknowledge “Busy phones”…" }).focus();
	await page.keyboard.press("Enter");
	await page.getByLabel("Note").fill("A newsletter");
	await page.getByRole("button", { name: "Acknowledge", exact: true }).press("Enter");
	await history.getByText("A newsletter").waitFor();
});

test("a rule whose address of Slack cannot come back is deleted only after a question", async (t) => {
	const slack = { notify_slack: true, slack_webhook_url: "https://hooks.slack.com/services/T/B/x" };
	await service.send("POST /alerts/rules?account_id=shop", { name: "Sent to Slack", ...slack });
	const { page, goto, api } = await service.read(t);
	const isThere = async () =>
		(await api("GET /alerts/rules", ofShop)).rules.some(({ name }) => name === "Sent to Slack");
	await goto(alerts);
	const item = page.getByRole("list", { name: "Rules" }).getByRole("listitem").filter({ hasText: "Sent to Slack" });
	const question = page.getByRole("dialog", { name: "Delete “Sent to Slack”" });
	await item.getByRole("button", { name: "Delete" }).click();
	await question.getByText("The Slack webhook URL", { exact: false }).waitFor();
	assert.equal(await isThere(), true);
	await question.getByRole("button", { name: "Delete rule" }).click();
	await item.waitFor({ state: "detached" });
	assert.equal(await isThere(), false);
});

const deliveries = (page: Page) => page.getByRole("list", { name: "Deliveries" }).getByRole("listitem");
/** Waits until the list has so many deliveries in a state. */
const listed = (page: Page, count: number, state: string) =>
	deliveries(page)
		.filter({ hasText: state })
		.nth(count - 1)
		.waitFor();

test("a test that fails says why, with its attempt and answer; once the server answers, what failed is sent again, signed", async (t) => {
	receiver.answers("/hook", { status: 503, headers: { "retry-after": "600" }, body: "in ten minutes" });
	const { page } = await service.open(t, webhooks);
	await page.getByRole("button", { name: "New endpoint" }).click();
	const form = page.getByRole("dialog", { name: "New endpoint" });
	await fill(form, { Name: "Ops", URL: `${receiver.url}/hook`, Headers: "X-Shop: 42" });
	await form.getByRole("button", { name: "Add endpoint" }).click();
	await form.getByText("Copy it now.").waitFor();
	const secret = (await form.locator("code").textContent()) ?? "";
	await form.getByRole("button", { name: "I've saved it" }).click();
	await page.getByRole("link", { name: "Ops", exact: true }).click();
	await page.getByText("No deliveries yet.").waitFor();
	for (const count of [1, 2]) {
		await page.getByRole("button", { name: "Send test" }).click();
		await listed(page, count, "failed");
	}
	await page.getByText("Your server responded 503. It is busy and asked us to wait.").first().waitFor();
	await page.getByRole("link", { name: "alert.triggered" }).first().click();
	const attempts = page.getByRole("list", { name: "Attempts" }).getByRole("listitem");
	await attempts.filter({ hasText: "Attempt 1" }).getByText("503").waitFor();
	await page.getByRole("region", { name: "Response: Body" }).getByText("in ten minutes").waitFor();
	await page.getByRole("tabpanel", { name: "Node" }).locator("code").waitFor();

	receiver.answers("/hook", { status: 200, body: "thanks" });
	await page.goBack();
	await page.getByRole("button", { name: "Send test" }).click();
	await page.getByText(/^Responded 200 in \d+ ms\. Endpoint verified\.$/).waitFor();
	await page.getByLabel("Status").selectOption("failed");
	await deliveries(page).filter({ hasText: "succeeded" }).waitFor({ state: "detached" });
	await page.getByLabel("All on this page").check();
	await page.getByRole("button", { name: "Replay 2" }).click();
	await page.getByText("2 deliveries queued again.").waitFor();
	await service.app.jobs.runDue();
	await page.getByLabel("Status").selectOption("success");
	await listed(page, 3, "succeeded");
	const calls = receiver.received.filter(({ path }) => path === "/hook");
	const events = calls.map(({ body }) => JSON.parse(body).event_id);
	assert.equal(calls.length, 5);
	assert.deepEqual(new Set(events.slice(3)), new Set(events.slice(0, 2)));
	for (const call of calls) {
		assert.equal(call.headers["x-service-signature"], ownSignature(secret, call));
		assert.equal(call.headers["x-shop"], "42");
	}
});

test("a draft is there for the user who comes back, without secrets, and for nobody else who signs in", async (t) => {
	const bob = await signIn(service.app, { email: "bob@example.com", name: "Bob" });
	await giveSiteRole(service.app, "shop", bob.userId, "admin");
	const { page, context, goto } = await service.read(t, { meetsErrors: true });
	// A screen that asks who reads; others ask that later.
	await goto("/account");
	await page.getByRole("heading", { name: "Profile", level: 2 }).waitFor();
	await goto(webhooks);
	const open = async () => {
		await page.getByRole("button", { name: "New endpoint" }).click();
		const form = page.getByRole("dialog", { name: "New endpoint" });
		return { form, read: () => Promise.all(["Name", "Headers"].map((label) => form.getByLabel(label).inputValue())) };
	};
	const enterAs = async (email: string) => {
		await context.clearCookies();
		await goto(webhooks);
		await signInAs(page, email);
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
});
