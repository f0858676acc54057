import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { noteFindings } from "../../../server/src/features/delivering/lens/insights/note-findings.ts";
import type { Finding } from "../../../server/src/features/delivering/lens/rules/finding.ts";
import { type DashboardService, openDashboard } from "../support/open-dashboard.ts";

let service: DashboardService;
before(async () => {
	service = await openDashboard();
	const { app } = service;
	const drop: Finding = {
		rule: "traffic_drop",
		entity: null,
		severity: "red",
		unit: "count",
		value: 1260,
		baseline: 2100,
		change: -40,
		threshold: 20,
		confidence: "high",
		sample: { days: 14, events: 3360, conversions: null },
		interval: { low: 1192.32, high: 1331.52 },
		baselineInterval: { low: 2012.08, high: 2191.76 },
		impact: -840,
		other: null,
	};
	const email: Finding = { ...drop, rule: "channel_drop", entity: "Email", severity: "yellow", impact: null };
	const days = {
		now: { start: "2026-11-14", end: "2026-11-20" },
		before: { start: "2026-11-07", end: "2026-11-13" },
	};
	await noteFindings(app.metadata, { siteId: "shop", findings: [drop, email], days, nowMs: app.clock.now() });
});
after(() => service?.close());

test("the worst unread insight stands above the cards of the report, opens, leads to its figures and is put away", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/sites/shop");
	const strip = page.getByRole("region", { name: "New insights" });
	await strip.getByText("Visits fell by 40 %").waitFor();
	await strip.getByText("+1").waitFor();
	await strip.getByRole("button", { name: "Show" }).click();
	await strip.getByRole("link", { name: "View: Visits fell by 40 %" }).click();
	await page.waitForURL(/\/why\?/);
	assert.equal(new URL(page.url()).searchParams.get("from"), "2026-11-14");
	await page.getByRole("region", { name: "New insights" }).getByRole("link", { name: "All insights" }).click();
	const card = page.getByRole("region", { name: "Fewer visits", exact: true });
	await card.getByText("Evidence").click();
	await card.getByText("1,260 (1,192 – 1,332)").waitFor();
	await card.getByRole("button", { name: "Helpful", exact: true }).click();
	await page.getByText("Thanks for the feedback.").waitFor();
	await card.getByRole("button", { name: "Read: Visits fell by 40 %" }).click();
	await card.getByRole("button", { name: "Mark as unread: Visits fell by 40 %" }).waitFor();
	await page.getByLabel("Unread only").check();
	await card.waitFor({ state: "detached" });
	await page.getByLabel("Severity").selectOption("green");
	await page.getByText("No results for these filters.").waitFor();
	await page.getByRole("button", { name: "Show all" }).click();
	await card.getByRole("button", { name: "Dismiss: Visits fell by 40 %" }).click();
	await card.waitFor({ state: "detached" });
	await leave();
});

test("a report is made, read with the figures of the API, and its settings are changed", async () => {
	const { page, goto, leave } = await service.read({ language: "es" });
	await goto("/sites/shop/insights/reports");
	await page.getByText("Aún no hay informes.").waitFor();
	await page.getByRole("button", { name: "Informe de la semana pasada" }).click();
	await page.getByText("Informe listo.").waitFor();
	await page.getByRole("link", { name: /^Leer: / }).click();
	await page.getByRole("table", { name: "Métricas" }).waitFor();
	const url = "/api/v1/lens/reports?account_id=shop";
	const [listed] = (await service.app.inject({ url, headers: service.ann.headers })).json().reports;
	assert.ok(page.url().endsWith(listed.id));
	assert.equal(listed.view_count, 1);
	await goto("/sites/shop/settings/insights");
	await page.getByLabel("Buenas noticias").check();
	await page.getByRole("button", { name: "Guardar" }).click();
	await page.getByText("Guardado.").waitFor();
	await goto("/sites/shop/settings/insights");
	assert.equal(await page.getByLabel("Buenas noticias").isChecked(), true);
	await leave();
});
