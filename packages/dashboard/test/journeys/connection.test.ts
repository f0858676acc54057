import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, before, test } from "node:test";
import type { Page } from "../../../server/test/support/browser.ts";
import { newDirectory } from "../../../server/test/support/new-directory.ts";
import type { TestApp } from "../../../server/test/support/test-app.ts";
import { type DashboardService, openDashboard, type Reader, startService } from "../support/open-dashboard.ts";

const manifest = new URL("../../dist/.vite/manifest.json", import.meta.url);
const parts: Readonly<Record<string, { readonly file: string }>> = JSON.parse(readFileSync(manifest, "utf8"));
/** The path of the English build that has a module: `features/bots/bots-screen.tsx`. */
const builtFile = (source: string) => `/${parts[`src/${source}`]?.file}`;

const dataDir = newDirectory();
const env = { RATE_LIMIT_ENABLED: "true", DEFAULT_PLAN: "growth" };

let service: DashboardService;
/** The running service; undefined while a test has stopped it. */
let running: TestApp | undefined;
before(async () => {
	service = await openDashboard(env, { dataDir });
	running = service.app;
});
after(async () => {
	await service?.browser.close();
	await stop();
});

afterEach(start);

async function stop(): Promise<void> {
	const stopped = running;
	running = undefined;
	await stopped?.close();
}

/** Starts the server at its address, where it does not run. */
async function start(): Promise<void> {
	if (running !== undefined) return;
	running = await startService(env, { dataDir });
	await running.app.listen({ host: "127.0.0.1", port: Number(new URL(service.root).port) });
}

const visits = (page: Page, entrances: number) =>
	page
		.getByRole("region", { name: "Key metrics" })
		.getByRole("button", { name: new RegExp(`^Visits\\s*${entrances.toLocaleString("en-GB")}\\b`) });
/** The entrances of a period. */
const entrancesOf = async ({ api }: Reader, period: string) =>
	(await api("GET /stats/overview", `?site_id=shop&period=${period}`)).traffic.entrances;
const banner = "The server isn't responding.";

test("the server stops and starts again while somebody reads: a banner says so, figures stay and go on by themselves", async (t) => {
	const reader = await service.read(t, { meetsErrors: true });
	const { page, goto } = reader;
	const [week, month] = [await entrancesOf(reader, "7d"), await entrancesOf(reader, "30d")];
	// This chunk is still loading when the server stops.
	const later = `**${builtFile("features/account/banners.tsx")}`;
	const stopped = Promise.withResolvers<void>();
	await page.route(later, async (route) => {
		await stopped.promise;
		await route.abort();
	});
	await goto("/sites/shop?period=7d");
	await visits(page, week).waitFor();

	await stop();
	stopped.resolve();
	await page.keyboard.press("t");
	await page.getByText(banner).waitFor();
	await visits(page, week).waitFor();

	await page.unroute(later);
	await start();
	await page.getByText(banner).waitFor({ state: "detached" });
	await visits(page, month).waitFor();
});

test("a screen that is not there yet when the server goes away comes by itself once it is back", async (t) => {
	const { page } = await service.open(t, "/sites/shop?period=7d", { meetsErrors: true });
	await page.getByRole("region", { name: "Key metrics" }).waitFor();
	await stop();
	await page.getByRole("link", { name: "Bots" }).click();
	await page.getByText(banner.slice(0, -1)).first().waitFor();
	assert.equal(await page.getByText(/assets|Unable|Failed to fetch/).count(), 0);
	await start();
	await page.getByRole("heading", { level: 1, name: "Bots" }).waitFor();
});

test("too many requests show how long to wait, and then figures come by themselves", async (t) => {
	const reader = await service.read(t, { meetsErrors: true });
	const { page, context, goto } = reader;
	const week = await entrancesOf(reader, "7d");
	await goto("/sites/shop?period=30d");
	// The last second of a minute, in which nothing is left.
	running?.clock.set("2026-11-21T12:00:59.000Z");
	let status = 200;
	for (let at = 0; at < 2_000 && status === 200; at++)
		status = (await context.request.get(`${service.root}/api/v1/auth/me`)).status();
	assert.equal(status, 429);
	await page.keyboard.press("w");
	await page
		.getByText(/^Too many requests\. Next try in \d+ s\.$/)
		.first()
		.waitFor();
	running?.clock.advance(2_000);
	await visits(page, week).waitFor();
});

test("without a network the figures stay under a banner, and what was asked meanwhile comes with it", async (t) => {
	const reader = await service.read(t, { meetsErrors: true });
	const { page, context, goto } = reader;
	const [week, month] = [await entrancesOf(reader, "7d"), await entrancesOf(reader, "30d")];
	// The last that the page asks for by itself.
	const last = page.waitForResponse((response) => response.url().endsWith("/auth/impersonation-status"));
	await goto("/sites/shop?period=30d");
	await visits(page, month).waitFor();
	await last;
	await context.setOffline(true);
	await page.getByText("You're offline.").waitFor();
	await page.keyboard.press("w");
	await page.waitForURL(/period=7d/);
	await visits(page, month).waitFor();
	await context.setOffline(false);
	await page.getByText("You're offline.").waitFor({ state: "detached" });
	await visits(page, week).waitFor();
});

test("a newer version on the server is offered once, and loaded by a click", async (t) => {
	const { page, goto } = await service.read(t, { meetsErrors: true });
	// The page is that of an older server.
	await page.route(`${service.root}/sites/shop`, async (route) => {
		const answer = await route.fetch();
		await route.fulfill({
			response: answer,
			body: (await answer.text()).replaceAll(/"version":"[^"]+"/g, '"version":"0.0.1"'),
		});
	});
	await goto("/sites/shop");
	await page.getByText("A new version is available.").waitFor();
	await page.unroute(`${service.root}/sites/shop`);
	const asked = page.waitForResponse((response) => response.url().endsWith("/api/v1/config"));
	await page.getByRole("button", { name: "Reload" }).click();
	await asked;
	await page.getByRole("region", { name: "Key metrics" }).waitFor();
	assert.equal(await page.getByText("A new version is available.").count(), 0);
});

test("a part that an update took away brings the new page, where one goes on", async (t) => {
	const { page } = await service.open(t, "/sites/shop", { meetsErrors: true });
	let isNewPage = false;
	page.on("request", (request) => {
		if (request.isNavigationRequest()) isNewPage = true;
	});
	await page.route(`**${builtFile("features/bots/bots-screen.tsx")}`, (route) =>
		isNewPage ? route.fallback() : route.fulfill({ status: 404 }),
	);
	await page.getByRole("link", { name: "Bots" }).click();
	await page.getByRole("heading", { level: 1, name: "Bots" }).waitFor();
	assert.ok(isNewPage);
});
