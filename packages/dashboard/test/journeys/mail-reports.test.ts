import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { letAgree } from "../../../server/test/support/agreed-recipients.ts";
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
	await page.getByText("No report goes out yet. Choose who should get one.").waitFor();
	await page.getByRole("button", { name: "New report" }).focus();
	await page.keyboard.press("Enter");
	const recipients = page.getByLabel("Recipients");
	assert.equal(await recipients.inputValue(), "ann@example.com");
	await recipients.focus();
	await page.keyboard.press("Control+End");
	await page.keyboard.type(`\n${friend}`);
	await page.keyboard.press("Tab");
	await page.keyboard.press("Enter");
	await page.getByText("The report is there.").waitFor();

	const report = page.getByRole("listitem").filter({ hasText: "Every Monday" });
	const states = report.getByRole("list", { name: "Recipients" }).getByRole("listitem");
	await states.filter({ hasText: friend }).getByText("was asked, has not agreed yet").waitFor();
	await states.filter({ hasText: "ann@example.com" }).getByText("gets it").waitFor();
	await letAgree(service.app, "shop", [friend]);
	await goto("/sites/shop/settings/reports");
	await states.filter({ hasText: friend }).getByText("gets it").waitFor();

	await report.getByRole("button", { name: "Send it to me now" }).click();
	await page.getByText("The last report is on its way to ann@example.com.").waitFor();
	const [mail] = await mailbox(service.app).to("ann@example.com");
	assert.match(mail?.subject ?? "", /^Test: /);

	await report.getByRole("button", { name: "Delete" }).click();
	await page.getByText("No report goes out yet.").waitFor();
	await page.getByRole("button", { name: "Undo" }).click();
	await states.filter({ hasText: friend }).getByText("gets it").waitFor();
	await leave();
});

test("an address that is none is told at the field, and what was typed stays", async () => {
	const { page, context, goto } = await service.read({ width: 390, language: "es" });
	await goto("/sites/empty/settings/reports");
	await page.getByRole("button", { name: "Nuevo informe" }).click();
	await page.getByLabel("Destinatarios").fill("no address");
	await page.getByRole("button", { name: "Añadir el informe" }).click();
	await page.getByText("Falta algo o no es correcto.").waitFor();
	assert.equal(await page.getByLabel("Destinatarios").getAttribute("aria-invalid"), "true");
	assert.equal(await page.getByLabel("Destinatarios").inputValue(), "no address");
	await context.close();
});
