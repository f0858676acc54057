import assert from "node:assert/strict";
import { test } from "node:test";
import { signIn } from "../../../server/test/support/accounts.ts";
import type { Page } from "../../../server/test/support/browser.ts";
import { sendHit } from "../../../server/test/support/hits.ts";
import { signInAs } from "../support/acts.ts";
import { ann, sharedDashboard } from "../support/open-dashboard.ts";

const service = sharedDashboard();

const palette = (page: Page) =>
	page.getByRole("combobox", {
		name: /^(Site, screen, setting, period or value|Sitio, pantalla, ajuste, periodo o valor)$/,
	});

/** Goes to the first thing that the search finds. */
async function goBySearch(page: Page, typed: string, isThere: (url: URL) => boolean): Promise<void> {
	await page.keyboard.press("Control+k");
	await palette(page).fill(typed);
	await page.keyboard.press("Enter");
	await page.waitForURL(isThere);
}

test("by keys alone: search a screen or all time, go to another screen, see which keys there are", async (t) => {
	const { page } = await service.open(t, "/sites/shop?period=7d");
	await page.keyboard.press("Control+k");
	await palette(page).fill("live");
	await page.keyboard.press("Enter");
	await page.waitForURL("**/sites/shop/live?period=7d");
	await page.waitForFunction(() => document.title === "Live · Shop – Footfall");
	await page.waitForFunction(() => document.activeElement?.closest("main") instanceof Element);
	await page.keyboard.press("g");
	await page.keyboard.press("r");
	await page.waitForURL("**/sites/shop?period=7d");
	// Alone, F is a key of the report.
	await page.getByRole("button", { name: "Filter" }).first().waitFor();
	await page.keyboard.press("g");
	await page.keyboard.press("f");
	await page.waitForURL("**/sites/shop/funnels?period=7d");
	await page.keyboard.press("?");
	await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByRole("row", { name: "G then L Live" }).waitFor();
	await page.keyboard.press("Escape");
	await page.getByRole("dialog").waitFor({ state: "detached" });
	await page.keyboard.press("Control+k");
	await palette(page).fill("all time");
	await page.getByRole("option", { name: "All time data since 23 Sept" }).waitFor();
	await page.keyboard.press("Enter");
	await page.waitForURL((url) => url.search === "?period=all&from=2026-09-23&compare=none");
});

const settingsByWord = {
	en: { embed: "sharing", csv: "exports", share: "sharing", alert: "alerts", export: "exports", "delete data": "data" },
	es: { compartir: "sharing", alerta: "alerts", exportar: "exports", "borrar datos": "data" },
} as const;

for (const [language, invite, label, list, sources] of [
	["en", "Invite", "Email", "sources", "Sources"],
	["es", "Invitar", "Correo", "fuentes", "Fuentes"],
] as const) {
	test(`the search finds settings by what they do, and a list of the report (${language})`, async (t) => {
		const { page } = await service.open(t, "/sites/shop?period=7d", { language });
		for (const [typed, screen] of Object.entries({ ...settingsByWord[language], [invite]: "people" }))
			await goBySearch(page, typed, (url) => url.pathname === `/sites/shop/settings/${screen}`);
		await page.getByRole("dialog", { name: invite }).getByLabel(label).waitFor();
		await page.keyboard.press("Escape");
		await page.getByRole("dialog").waitFor({ state: "detached" });
		await goBySearch(page, list, (url) => url.pathname + url.search === "/sites/shop?panel=sources");
		await page.getByRole("dialog", { name: sources }).getByRole("searchbox").waitFor();
	});
}

test("in Spanish the System screen says in Spanish what its checks found", async (t) => {
	const root = "sistema@example.com";
	await signIn(service.app, { email: root, name: "Root", role: "superadmin" });
	const { page } = await service.open(t, "/admin/system", { as: root, language: "es" });
	await page.getByText("0 bytes en espera del almacén de eventos").waitFor();
});

test("a typed search becomes filters and a period: source, device and month in one go", async (t) => {
	const { page, goto } = await service.read(t);
	const search = async (typed: string) => {
		await page.getByRole("button", { name: "Search", exact: true }).click();
		await palette(page).fill(typed);
	};
	await goto("/sites/shop/goals?f=country:eq:ES");
	await search("google mobile last month");
	await page.getByRole("option", { name: "Source: google · Device: Mobile · Last month", selected: true }).waitFor();
	await page.keyboard.press("Enter");
	await page.waitForURL((url) => url.pathname === "/sites/shop/goals" && url.search.includes("last_month"));
	const filters = ["country:eq:ES", "utm_source:eq:google", "device_type:eq:mobile"];
	assert.deepEqual(new URL(page.url()).searchParams.getAll("f"), filters);
	// A value that is asked for already is not let go, and live figures have no period: the report has.
	await goto("/sites/shop/live?f=utm_source:eq:google");
	await search("Google");
	await page.getByRole("option", { name: "Source: google", exact: true }).click();
	await page.waitForURL("**/sites/shop?f=utm_source:eq:google");
	await search("google zebra");
	await page.getByText("No results for “google zebra”.").waitFor();
});

test("appearance and language are chosen once: they stay, and come along to another browser", async (t) => {
	const { page, goto } = await service.open(t, "/sites");
	await page.getByRole("button", { name: /^Account/ }).click();
	await page.getByRole("radio", { name: "Dark" }).check();
	await page.getByLabel("Language").selectOption("es");
	await page.getByRole("heading", { name: "Sitios" }).waitFor();
	assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
	await goto("/account");
	await page.getByLabel("Tablas").selectOption("Compactas");
	await page.locator("html[data-density=compact]").waitFor({ state: "attached" });
	await page.getByRole("button", { name: "Deshacer" }).last().click();
	await page.locator("html[data-density=comfortable]").waitFor({ state: "attached" });

	const elsewhere = await service.read(t, { isStranger: true });
	await elsewhere.goto("/sites");
	await signInAs(elsewhere.page, ann.email);
	await elsewhere.page.getByRole("heading", { name: "Sitios" }).waitFor();
	assert.equal(await elsewhere.page.locator("html").getAttribute("data-theme"), "dark");
});

test("the wall shows what happens now, dark and without a frame, keeps awake, takes turns, and Escape leaves it", async (t) => {
	const { page, goto } = await service.read(t, { realClock: true });
	await page.clock.install({ time: "2026-11-21T12:00:00.000Z" });
	await page.addInitScript(() => {
		const counted = globalThis as unknown as { wakeLocks: number };
		counted.wakeLocks = 0;
		const release = async () => void counted.wakeLocks--;
		const request = async () => {
			counted.wakeLocks++;
			return { release };
		};
		Object.defineProperty(navigator, "wakeLock", { value: { request } });
	});
	await goto("/sites/empty/live");
	await page.getByText("Live (updates within 2 s)", { exact: true }).first().waitFor();
	await page.getByRole("button", { name: "TV mode" }).focus();
	await page.keyboard.press("Enter");
	const wallOf = (site: string) => page.getByRole("dialog", { name: `TV mode of ${site}` });
	const wall = wallOf("Empty");
	await wall.getByRole("heading", { name: "Empty" }).waitFor();
	assert.equal(await wall.evaluate((element) => getComputedStyle(element).colorScheme), "dark");
	assert.equal(await page.evaluate(() => (globalThis as unknown as { wakeLocks: number }).wakeLocks), 1);

	// Somebody comes.
	assert.equal(await sendHit(service.app, { site: "empty", url: "https://empty.example/" }), 204);
	await wall.getByText("1", { exact: true }).first().waitFor();

	await wall.getByRole("checkbox", { name: "Rotate sites every 20 seconds" }).check();
	for (const site of ["Shop", "Empty"]) {
		await page.clock.fastForward(20_000);
		await wallOf(site).getByRole("heading", { name: site }).waitFor();
	}

	await page.keyboard.press("Escape");
	await wall.waitFor({ state: "detached" });
	await page.waitForFunction(() => document.activeElement?.textContent?.includes("TV mode"));
	// React runs the effect that releases the display after the dialog has left the page.
	await page.waitForFunction(() => (globalThis as unknown as { wakeLocks: number }).wakeLocks === 0);
});

test("a bell has the number of warnings: of the installation for a superadmin, of the site for everybody, none without any", async (t) => {
	const root = "root@example.com";
	await signIn(service.app, { email: root, name: "Root", role: "superadmin" });
	const { page } = await service.open(t, "/sites/shop", { as: root });
	const bell = page.getByRole("button", { name: "2 warnings" });
	await bell.waitFor();
	await bell.focus();
	await page.keyboard.press("Enter");
	const list = page.getByRole("region", { name: "Warnings" });
	const messages = ["Mails are written to DATA_DIR/outbox and not sent", "No scheduled backups"] as const;
	await list.getByText(messages[0]).waitFor();
	assert.deepEqual(await list.locator("strong").allTextContents(), messages);
	const links = await list.getByRole("link").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
	assert.deepEqual(links, ["/help/operations#mail", "/help/operations#backups"]);
	await page.keyboard.press("Tab");
	await list.getByRole("link").first().and(page.locator(":focus")).waitFor();
	await page.keyboard.press("Escape");
	await list.waitFor({ state: "detached" });
	await bell.and(page.locator(":focus")).waitFor();

	const reader = await service.open(t, "/sites/empty");
	const answer = reader.page.waitForResponse((response) => response.url().includes("/warnings?account_id=empty"));
	await reader.load("/sites/empty");
	await answer;
	assert.equal(await reader.page.getByRole("button", { name: /warning/ }).count(), 0);
	await sendHit(service.app, { site: "empty", url: "https://empty.example/", event: "order", amount: "€5" });
	await reader.load("/sites/empty");
	await reader.page.getByRole("button", { name: "1 warning" }).click();
	await reader.page.getByText("1 amount could not be read today").waitFor();
	await reader.page.getByRole("link", { name: "See rejected data" }).click();
	await reader.page.waitForURL("**/sites/empty/settings/install");
});
