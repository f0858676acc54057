import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { letAgree } from "../../../server/test/support/agreed-recipients.ts";
import type { Page } from "../../../server/test/support/browser.ts";
import { mailbox } from "../../../server/test/support/mailbox.ts";
import { type DashboardService, openDashboard } from "../support/open-dashboard.ts";

let service: DashboardService;
before(async () => {
	service = await openDashboard();
});
after(() => service?.close());

const friend = "friend@another.example";

test("a mail report is made by keys, tells how each recipient stands, is tried, deleted and brought back", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/sites/shop/settings/reports");
	await page.getByText("No email reports yet.").waitFor();
	await page.getByRole("button", { name: "New report" }).focus();
	await page.keyboard.press("Enter");
	const recipients = page.getByLabel("Recipients");
	assert.equal(await recipients.inputValue(), "ann@example.com");
	await recipients.focus();
	await page.keyboard.press("Control+End");
	await page.keyboard.type(`\n${friend}`);
	await page.keyboard.press("Tab");
	await page.keyboard.press("Enter");
	await page.getByText("Report added.").waitFor();

	const report = page.getByRole("listitem").filter({ hasText: "Every Monday" });
	const states = report.getByRole("list", { name: "Recipients" }).getByRole("listitem");
	await states.filter({ hasText: friend }).getByText("was asked, has not agreed yet").waitFor();
	await states.filter({ hasText: "ann@example.com" }).getByText("gets it").waitFor();
	await letAgree(service.app, "shop", [friend]);
	await goto("/sites/shop/settings/reports");
	await states.filter({ hasText: friend }).getByText("gets it").waitFor();

	await report.getByRole("button", { name: "Send to me now" }).click();
	await page.getByText("Latest report sent to ann@example.com.").waitFor();
	const [mail] = await mailbox(service.app).to("ann@example.com");
	assert.match(mail?.subject ?? "", /^Test: /);

	await report.getByRole("button", { name: "Delete" }).click();
	await page.getByText("No email reports yet.").waitFor();
	await page.getByRole("button", { name: "Undo" }).click();
	await states.filter({ hasText: friend }).getByText("gets it").waitFor();
	await leave();
});

test("an address that is none is told at the field, and what was typed stays", async () => {
	const { page, context, goto } = await service.read({ width: 390, language: "es" });
	await goto("/sites/empty/settings/reports");
	await page.getByRole("button", { name: "Nuevo informe" }).click();
	await page.getByLabel("Destinatarios").fill("no address");
	await page.getByRole("button", { name: "Añadir informe" }).click();
	await page.getByText("Corrige los campos marcados.").waitFor();
	assert.equal(await page.getByLabel("Destinatarios").getAttribute("aria-invalid"), "true");
	assert.equal(await page.getByLabel("Destinatarios").inputValue(), "no address");
	await context.close();
});

interface Rule {
	readonly name: string;
	readonly alert_type: string;
	readonly metric: string;
	readonly condition_type: string;
	readonly threshold_value: number;
	readonly threshold_direction: string;
	readonly comparison_window: string;
	readonly custom_condition: Readonly<Record<string, string>> | null;
	readonly email_recipients: readonly string[];
	readonly is_active: boolean;
}
interface Rules {
	readonly rules: readonly Rule[];
}

/** A filter of a rule, by the editor that the report has. */
async function addFilter(page: Page, field: string, value: string): Promise<void> {
	await page.getByRole("button", { name: "Condition: add to “Filters”" }).click();
	await page.getByLabel("Property", { exact: true }).selectOption(field);
	await page.getByLabel("Value", { exact: true }).fill(value);
	await page.getByRole("button", { name: "Apply" }).click();
}

const rulesPath = "/alerts/rules?account_id=shop&include_inactive=true";

test("a rule is made, tried, switched off and on again, deleted and brought back", async () => {
	const { page, goto, api, leave } = await service.read();
	const rule = async () => (await api<Rules>(rulesPath)).rules[0];
	await goto("/sites/shop/settings/alerts");
	await page.getByRole("button", { name: "Add first rule" }).click();
	const form = page.getByRole("dialog", { name: "New rule" });
	await form.getByLabel("Name").fill("Busy phones");
	await form.getByLabel("Rule type").selectOption("traffic_spike");
	await form.getByText("Increases only:", { exact: false }).waitFor();
	await form.getByLabel("Time window").selectOption("1h");
	await form.getByText(/^On a site of this size, expect about \d+ false alarms in 90 days/).waitFor();
	await form.getByLabel("Compare by", { exact: true }).selectOption("absolute_threshold");
	await form.getByText(/^On a site of this size/).waitFor({ state: "detached" });
	await form.getByLabel("Time window").selectOption("24h");
	await form.getByLabel("Number").fill("1");
	await addFilter(page, "Device", "mobile");
	await form.getByLabel("Email addresses").fill("ann@example.com");
	await form.getByRole("button", { name: "Create alert" }).click();
	await page.getByText("“Busy phones” created.").waitFor();
	const made = await rule();
	assert.deepEqual(
		[made?.alert_type, made?.metric, made?.condition_type, made?.threshold_value, made?.comparison_window],
		["traffic_spike", "pageviews", "absolute_threshold", 1, "24h"],
	);
	assert.deepEqual(
		[made?.custom_condition, made?.email_recipients],
		[{ filters: "device_type:eq:mobile" }, ["ann@example.com"]],
	);
	const item = page.getByRole("list", { name: "Rules" }).getByRole("listitem");
	await item.getByText("Page views in 24 hours: 1 or more").waitFor();
	await item.getByText(/^Now [\d,]+/).waitFor();
	await page.getByRole("button", { name: "Test: Busy phones" }).click();
	await item.getByText("It would trigger now, as critical.", { exact: false }).waitFor();
	await page.getByRole("button", { name: "Send test" }).click();
	await page.getByText("Test sent.").waitFor();
	await page.getByRole("button", { name: "Disable" }).click();
	await page.getByText("“Busy phones” disabled.", { exact: false }).waitFor();
	assert.equal((await rule())?.is_active, false);
	await page.getByRole("button", { name: "Undo" }).last().click();
	await page.getByRole("button", { name: "Disable" }).waitFor();
	assert.equal((await rule())?.is_active, true);
	await item.getByRole("button", { name: "Delete" }).click();
	await page.getByRole("button", { name: "Add first rule" }).waitFor();
	assert.equal(await rule(), undefined);
	await page.getByRole("button", { name: "Undo" }).last().click();
	await item.getByText("Busy phones").waitFor();
	assert.deepEqual({ ...(await rule()), id: 0 }, { ...made, id: 0 });
	await leave();
});

test("what the server refuses of a rule is said at its field, and what was typed is there after a new start", async () => {
	const { page, context, goto } = await service.read();
	await goto("/sites/shop/settings/alerts");
	await page.getByRole("button", { name: "New rule" }).click();
	const form = page.getByRole("dialog", { name: "New rule" });
	await form.getByLabel("Name").fill("No filter");
	await form.getByLabel("Rule type").selectOption("source_change");
	await form.getByLabel("Source").fill("newsletter");
	await addFilter(page, "Device", "mobile");
	await form.getByLabel("Email addresses").fill("nobody at all");
	await form.getByRole("button", { name: "Create alert" }).click();
	await form.locator('[name="email_recipients"][aria-invalid="true"]').waitFor();
	await page.reload();
	await page.getByRole("button", { name: "New rule" }).click();
	await form.getByText("Visits from one source", { exact: false }).waitFor();
	assert.equal(await form.getByLabel("Source").inputValue(), "newsletter");
	await form.getByRole("list", { name: "Filters" }).getByText("Device is mobile").waitFor();
	// The refusal is an error on the browser's console, which others would take for a fault.
	await context.close();
});

test("what rules found stands along a line, is chosen by state, and acknowledged by keys", async () => {
	const { app, ann } = service;
	await app.jobs.enqueue(app.metadata, { kind: "alert-evaluation" });
	await app.jobs.runDue();
	const { page, goto, leave } = await service.read();
	await goto("/sites/shop/settings/alerts");
	const history = page.getByRole("region", { name: "History" });
	await history.getByRole("heading", { name: "Sat, 21 Nov 2026" }).waitFor();
	await page.getByRole("button", { name: "Acknowledge “Busy phones”…" }).focus();
	await page.keyboard.press("Enter");
	await page.getByLabel("Note").fill("A newsletter");
	await page.getByRole("button", { name: "Acknowledge", exact: true }).press("Enter");
	await history.getByText("A newsletter").waitFor();
	await page.getByLabel("Status").selectOption("active");
	await page.waitForURL((url) => url.search === "?view=status:active");
	await history.getByText("No results for these filters.").waitFor();
	await page.getByLabel("Status").selectOption("acknowledged");
	await history.getByText("A newsletter").waitFor();
	const url = "/api/v1/alerts/history?account_id=shop&status=acknowledged";
	const { total } = (await app.inject({ url, headers: ann.headers })).json();
	await history.getByText(`1–${total} of ${total}`).waitFor();
	await leave();
});

test("a rule whose address of Slack cannot come back is deleted only after a question", async () => {
	const url = "/api/v1/alerts/rules?account_id=shop";
	const payload = {
		name: "Sent to Slack",
		notify_slack: true,
		slack_webhook_url: "https://hooks.slack.com/services/T/B/x",
	};
	const answer = await service.app.inject({ method: "POST", url, headers: service.ann.headers, payload });
	assert.equal(answer.statusCode, 201, answer.body);
	const { page, goto, api, leave } = await service.read();
	const names = async () => (await api<Rules>(rulesPath)).rules.map(({ name }) => name);
	await goto("/sites/shop/settings/alerts");
	const item = page.getByRole("list", { name: "Rules" }).getByRole("listitem").filter({ hasText: "Sent to Slack" });
	await item.getByRole("button", { name: "Edit" }).click();
	const form = page.getByRole("dialog", { name: "Edit rule" });
	await form.getByLabel("Percent").fill("80");
	await form.getByRole("button", { name: "Save" }).click();
	await item.getByText("Page views in 1 hour: 80 % above the average of the last 7 days").waitFor();
	await item.getByRole("button", { name: "Delete" }).click();
	const question = page.getByRole("dialog", { name: "Delete “Sent to Slack”" });
	await question.getByText("The Slack webhook URL", { exact: false }).waitFor();
	await page.keyboard.press("Escape");
	assert.equal((await names()).includes("Sent to Slack"), true);
	await item.getByRole("button", { name: "Delete" }).click();
	await question.getByRole("button", { name: "Delete rule" }).click();
	await item.waitFor({ state: "detached" });
	assert.equal((await names()).includes("Sent to Slack"), false);
	await leave();
});

test("a goal is added, changed and deleted where its progress stands", async () => {
	const { page, goto, api, leave } = await service.read();
	const goal = async () => (await api<Rules>(rulesPath)).rules.find(({ alert_type: type }) => type === "goal_reached");
	await goto("/sites/shop/goals");
	await page.getByRole("button", { name: "New goal" }).click();
	const form = page.getByRole("dialog");
	await form.getByLabel("Name").fill("Many orders");
	await form.getByLabel("Target").fill("300");
	await form.getByRole("button", { name: "Create goal" }).click();
	await page.getByRole("button", { name: "Edit goal “Many orders”" }).click();
	await form.getByLabel("Target").and(page.locator('[value="300"]')).waitFor();
	await form.getByLabel("Target").fill("2");
	await form.getByLabel("By the end of the").selectOption("week");
	await form.getByRole("button", { name: "Save" }).click();
	await page.getByText(/^\d+ of 2$/).waitFor();
	await page.getByText("this week").waitFor();
	const changed = await goal();
	assert.deepEqual([changed?.threshold_value, changed?.custom_condition?.["period"]], [2, "week"]);
	await page.getByRole("button", { name: "Delete goal “Many orders”" }).click();
	await page.getByText("No goals yet.", { exact: false }).waitFor();
	assert.equal(await goal(), undefined);
	await page.getByRole("button", { name: "Undo" }).last().click();
	await page.getByText(/^\d+ of 2$/).waitFor();
	await leave();
});
