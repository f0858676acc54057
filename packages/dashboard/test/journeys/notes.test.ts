import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { signIn } from "../../../server/test/support/accounts.ts";
import type { Page } from "../../../server/test/support/browser.ts";
import { giveSiteRole } from "../../../server/test/support/site-roles.ts";
import { axeFaults } from "../support/axe.ts";
import { geometryFaults } from "../support/geometry.ts";
import { type DashboardService, openDashboard } from "../support/open-dashboard.ts";

interface Note {
	readonly date: string;
	readonly hour: number | null;
	readonly text: string;
	readonly kind: string;
}

interface Alert {
	readonly status: string;
	readonly notes: string | null;
}

let service: DashboardService;
before(async () => {
	service = await openDashboard();
	const bob = await signIn(service.app, { email: "bob@example.com", name: "Bob" });
	await giveSiteRole(service.app, "shop", bob.userId, "viewer");
});
after(() => service?.close());

async function post(path: string, payload: object): Promise<void> {
	const url = `/api/v1${path}?account_id=shop`;
	const answer = await service.app.inject({ method: "POST", url, headers: service.ann.headers, payload });
	assert.equal(answer.statusCode, 201, answer.body);
}

const chart = (page: Page) => page.getByRole("slider");
const mark = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name });

/** Presses Tab until something has the focus; fails when it never comes. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
	const target = page.getByRole("button", { name }).and(page.locator(":focus"));
	for (let at = 0; at < 12; at += 1) {
		await page.keyboard.press("Tab");
		if ((await target.count()) > 0) return;
	}
	assert.fail(`Tab does not reach ${name}`);
}

test("a note is written beside a point, read on the chart, changed and taken away, by keys alone", async () => {
	const { page, goto, api, leave } = await service.read();
	const notes = async () =>
		(await api<Note[]>("/annotations?account_id=shop")).map(({ date, text, kind }) => `${date} ${kind} ${text}`);
	await goto("/sites/shop?period=7d");
	await chart(page).focus();
	await page.keyboard.press("Home");
	await page.keyboard.press("ArrowRight");
	await page.keyboard.press("Enter");
	await dialog(page, "Add annotation").getByLabel("Text").and(page.locator(":focus")).waitFor();
	await page.keyboard.type("Television spot");
	await page.keyboard.press("Enter");
	await page.getByText("Annotation added.").waitFor();
	assert.deepEqual(await notes(), ["2026-11-16 note Television spot"]);
	await mark(page, "1 annotation: Television spot").waitFor();
	await chart(page).focus();
	await tabTo(page, "1 annotation: Television spot");
	await page.keyboard.press("Enter");
	await page.getByText("Note · Mon, 16 Nov 2026 · by Ann").waitFor();
	await tabTo(page, "Edit");
	await page.keyboard.press("Enter");
	const change = dialog(page, "Edit annotation");
	await change.getByLabel("Text").and(page.locator(":focus")).waitFor();
	await page.keyboard.press("End");
	await page.keyboard.type(" at nine");
	await change.getByLabel("Type").selectOption("campaign");
	await page.keyboard.press("Enter");
	await mark(page, "1 annotation: Television spot at nine").waitFor();
	assert.deepEqual(await notes(), ["2026-11-16 campaign Television spot at nine"]);
	await chart(page).focus();
	await tabTo(page, /^1 annotation/);
	await page.keyboard.press("Enter");
	await page.getByRole("button", { name: "Delete" }).waitFor();
	await tabTo(page, "Delete");
	await page.keyboard.press("Enter");
	await mark(page, /^1 annotation/).waitFor({ state: "detached" });
	assert.deepEqual(await notes(), []);
	await page.getByRole("button", { name: "Undo" }).last().click();
	await mark(page, "1 annotation: Television spot at nine").waitFor();
	await leave();
});

test("a note is written from the chart's head; marks that have no room become one", async () => {
	for (const day of [8, 9, 10])
		await post("/annotations", { date: `2026-11-0${day}`.replace("010", "10"), text: `N${day}` });
	const { page, goto, api, leave } = await service.read({ width: 390, hasTouch: true });
	await goto("/sites/shop?period=30d");
	await mark(page, "3 annotations: N8, N9, N10").waitFor();
	await page.getByRole("button", { name: "Annotation", exact: true }).tap();
	const form = dialog(page, "Add annotation");
	await form.getByLabel("Text").fill("New prices");
	await form.getByLabel("Day").fill("2026-11-02");
	await form.getByLabel(/^Hour/).selectOption("09:00");
	await form.getByRole("button", { name: "Save" }).tap();
	await mark(page, "1 annotation: New prices").waitFor();
	const [note] = await api<Note[]>("/annotations?account_id=shop&to_date=2026-11-02");
	assert.deepEqual([note?.date, note?.hour, note?.text], ["2026-11-02", 9, "New prices"]);
	await leave();
});

test("who only looks reads notes and cannot write them", async () => {
	const { page, goto, leave } = await service.read({ as: "bob@example.com" });
	await goto("/sites/shop?period=30d");
	await mark(page, "1 annotation: New prices").click();
	await page.getByText("Note · Mon, 2 Nov 2026, 09:00 · by Ann").waitFor();
	assert.equal(await page.getByRole("button", { name: "Edit", exact: true }).count(), 0);
	assert.equal(await page.getByRole("button", { name: "Annotation", exact: true }).count(), 0);
	await leave();
});

test("an alert fires, stands below the chart, and is acknowledged there with a note", async () => {
	await post("/alerts/rules", {
		name: "Busy",
		condition_type: "absolute_threshold",
		threshold_value: 1,
		comparison_window: "24h",
	});
	await service.app.jobs.enqueue(service.app.metadata, { kind: "alert-evaluation" });
	await service.app.jobs.runDue();
	const { page, goto, api, leave } = await service.read();
	await goto("/sites/shop?period=7d");
	await mark(page, "1 alert: Busy").click();
	await page.getByText(/^Page views: \d/).waitFor();
	await page.getByRole("button", { name: "Acknowledge…" }).click();
	await page.getByLabel("Note").fill("The newsletter went out");
	await page.getByRole("button", { name: "Acknowledge", exact: true }).click();
	await page.getByText("“Busy” acknowledged.").waitFor();
	const { alerts } = await api<{ readonly alerts: readonly Alert[] }>("/alerts/history?account_id=shop");
	assert.deepEqual(
		alerts.map(({ status, notes }) => [status, notes]),
		[["acknowledged", "The newsletter went out"]],
	);
	await mark(page, "1 alert: Busy").click();
	await page.getByText("Acknowledged", { exact: false }).first().waitFor();
	await page.getByText("The newsletter went out").waitFor();
	await leave();
});

test("a funnel is kept and shared; a colleague opens it, and keeps one alone", async () => {
	const steps = "view=page:/&view=event:add_to_cart";
	const { page, goto, leave } = await service.read();
	await goto(`/sites/shop/funnels?period=7d&${steps}`);
	await page.getByRole("button", { name: "Views", exact: true }).click();
	await page.getByText("No saved funnels yet.").waitFor();
	await page.getByLabel("Save this view as").fill("To the cart");
	await page.getByLabel("Share with everyone on this site").check();
	await page.getByRole("button", { name: "Save" }).click();
	await page.getByText("“To the cart” saved.").waitFor();

	const bob = await service.read({ as: "bob@example.com" });
	await bob.goto("/sites/shop/funnels");
	await bob.page.getByRole("button", { name: "Views", exact: true }).click();
	const shared = bob.page.getByRole("region", { name: "Shared by colleagues" });
	await shared.getByText("by Ann").waitFor();
	assert.equal(await bob.page.getByRole("button", { name: /^Edit/ }).count(), 0);
	assert.equal(await bob.page.getByLabel("Share with everyone on this site").count(), 0);
	await shared.getByRole("button", { name: /^To the cart/ }).click();
	await bob.page.waitForURL((url) => url.search === `?period=7d&${steps}`);
	const items = bob.page.getByRole("list", { name: "Visits by step" }).getByRole("listitem");
	await items.nth(1).getByText("add_to_cart", { exact: true }).waitFor();
	await bob.page.getByRole("button", { name: "Views", exact: true }).click();
	await bob.page.getByLabel("Save this view as").fill("Mine");
	await bob.page.keyboard.press("Enter");
	await bob.page.getByText("“Mine” saved.").waitFor();
	await bob.leave();

	await page.getByRole("button", { name: "Views", exact: true }).click();
	assert.equal(await page.getByText("Mine").count(), 0);
	await page.getByRole("button", { name: "Edit “To the cart”" }).click();
	await page.getByLabel("Name", { exact: true }).fill("Into the cart");
	await page.getByRole("button", { name: "Save" }).first().click();
	await page.getByRole("button", { name: "Edit “Into the cart”" }).click();
	await page.getByRole("button", { name: "Delete" }).click();
	await page.getByText("No saved funnels yet.").waitFor();
	await page.keyboard.press("Escape");
	await page.getByRole("button", { name: "Undo" }).last().click();
	await page.getByRole("button", { name: "Views", exact: true }).click();
	await page.getByRole("button", { name: /^Into the cart/ }).waitFor();
	await leave();
});

test("a view of the report is its address; kept again under its name it shows what is there now", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/sites/shop?period=7d&compare=none&metric=revenue&f=device_type:eq:mobile");
	const keep = async (button: string) => {
		await page.getByRole("button", { name: "Views", exact: true }).click();
		await page.getByLabel("Save this view as").fill("Phones");
		await page.getByRole("button", { name: button, exact: true }).click();
	};
	await keep("Save");
	await page.getByText("“Phones” saved.").waitFor();
	await goto("/sites/shop?period=90d&by=weekly");
	await keep("Replace");
	await page.getByText("“Phones” updated.").waitFor();
	await goto("/sites/shop");
	await page.getByRole("button", { name: "Views", exact: true }).click();
	await page.getByRole("button", { name: "Phones", exact: true }).click();
	await page.waitForURL((url) => url.search === "?period=90d&by=weekly");
	await page.getByRole("button", { name: "Views", exact: true }).click();
	await page.locator('[aria-current="true"]', { hasText: "Phones" }).waitFor();
	await leave();
});

test("what opens above the report has no fault of axe, and fits on a desk and on a phone", async () => {
	const { page, goto, leave } = await service.read({ bypassCSP: true });
	for (const width of [1440, 320]) {
		await page.setViewportSize({ width, height: 900 });
		await goto("/sites/shop?period=30d");
		for (const opener of [/^1 alert|alert: Busy/, "Annotation", "Views"]) {
			await page.getByRole("button", { name: opener, exact: true }).click();
			await page.locator("dialog[open], [popover]:popover-open").first().waitFor();
			if (width === 1440) assert.deepEqual(await axeFaults(page), [], String(opener));
			assert.deepEqual(await geometryFaults(page), [], `${opener}, ${width} px`);
			await page.keyboard.press("Escape");
		}
	}
	await leave();
});
