import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type DashboardService, openDashboard } from "../support/open-dashboard.ts";

interface Overview {
	readonly traffic: { readonly entrances: number };
}

let service: DashboardService;
before(async () => {
	service = await openDashboard();
});
after(() => service?.close());

const asked = encodeURIComponent(
	JSON.stringify({ conditions: [{ field: "utm_source", operator: "in", value: ["google"] }] }),
);

test("by touch and in Spanish: a row filters, the period changes, another figure is drawn, and back undoes it", async () => {
	const { page, goto, api, leave } = await service.read({ width: 390, height: 844, hasTouch: true, language: "es" });
	await goto("/sites/shop");
	const sources = page.getByRole("region", { name: "De dónde vienen las visitas" });
	await sources.getByRole("tab", { name: "Fuentes" }).tap();
	await sources.getByRole("button", { name: /^google / }).tap();
	const chips = page.getByRole("list", { name: "Filtros" }).getByRole("listitem");
	await chips.filter({ hasText: "google" }).waitFor();

	await page.getByRole("button", { name: /^Periodo: / }).tap();
	await page.getByRole("button", { name: /^Últimos 7 días/ }).tap();
	await page.waitForURL(/period=7d/);
	const { traffic } = await api<Overview>(`/stats/overview?site_id=shop&period=7d&segment_filters=${asked}`);
	const strip = page.locator("main section").first();
	const visits = new Intl.NumberFormat("es-ES").format(traffic.entrances);
	await strip.getByRole("button", { name: new RegExp(`^Visitas\\s*${visits}`) }).waitFor();

	await strip.getByRole("button", { name: /^Conversiones/ }).tap();
	await page.waitForURL(/metric=conversions/);
	await page.goBack();
	await page.waitForURL((url) => !url.search.includes("metric="));
	await chips.getByRole("button", { name: /^Quitar/ }).tap();
	await chips.first().waitFor({ state: "detached" });
	assert.equal(new URL(page.url()).search, "?period=7d");
	await leave();
});

test("what has no room in the bar is below More", async () => {
	const { page, goto, leave } = await service.read({ width: 390, height: 844, hasTouch: true });
	await goto("/sites/shop");
	await page.getByRole("button", { name: "More", exact: true }).tap();
	await page.getByRole("link", { name: "Bots" }).tap();
	await page.getByRole("heading", { level: 1, name: "Bots" }).waitFor();
	await page.waitForURL("**/sites/shop/bots");
	await leave();
});
