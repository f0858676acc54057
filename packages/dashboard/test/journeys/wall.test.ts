import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { newVisitor } from "../../../server/test/support/browser.ts";
import { type BrowserSite, openBrowserSite } from "../../../server/test/support/browser-site.ts";
import { type DashboardService, openDashboard } from "../support/open-dashboard.ts";

let service: DashboardService;
let site: BrowserSite | undefined;
before(async () => {
	service = await openDashboard();
});
after(async () => {
	await service?.close();
	await site?.close();
});

test("the wall shows what happens now, dark and without a frame, keeps awake, takes turns, and Escape leaves it", async () => {
	const { page, goto, leave } = await service.read({ realClock: true });
	await page.clock.install({ time: "2026-11-21T12:00:00.000Z" });
	await page.addInitScript(() => {
		const counted = globalThis as unknown as { wakeLocks: number };
		counted.wakeLocks = 0;
		const request = async () => {
			counted.wakeLocks += 1;
			const release = async () => {
				counted.wakeLocks -= 1;
			};
			return { release };
		};
		Object.defineProperty(navigator, "wakeLock", { value: { request } });
	});
	const wakeLocks = () => page.evaluate(() => (globalThis as unknown as { wakeLocks: number }).wakeLocks);
	await goto("/sites/empty/live");
	await page.getByText("Live (updates within 2 s)", { exact: true }).first().waitFor();
	await page.getByRole("button", { name: "TV mode" }).focus();
	await page.keyboard.press("Enter");
	const wall = page.getByRole("dialog", { name: "TV mode of Empty" });
	await wall.getByRole("heading", { name: "Empty" }).waitFor();
	assert.equal(await wall.evaluate((element) => getComputedStyle(element).colorScheme), "dark");
	assert.equal(await wakeLocks(), 1);

	// Somebody comes.
	site = await openBrowserSite("empty.example.test", {
		"/": `<title>x</title><script src="${service.root}/t.js?id=empty" defer></script>`,
	});
	await service.app.inject({
		method: "POST",
		url: "/api/v1/sites/empty/domains",
		headers: service.ann.headers,
		payload: { domain: "empty.example.test" },
	});
	const visitor = await newVisitor(service.browser);
	const there = await visitor.newPage();
	const sent = there.waitForResponse((response) => response.url().endsWith("/event"));
	await there.goto(`${site.origin}/`);
	assert.equal((await sent).status(), 204);
	await wall.getByText("1", { exact: true }).first().waitFor();
	await visitor.close();

	const [empty, shop] = ["Empty", "Shop"].map((name) => page.getByRole("dialog", { name: `TV mode of ${name}` }));
	assert.ok(empty && shop);
	await empty.getByRole("checkbox", { name: "Rotate sites every 20 seconds" }).check();
	await page.clock.fastForward(20_000);
	await shop.getByRole("heading", { name: "Shop" }).waitFor();
	await page.clock.fastForward(20_000);
	await empty.getByRole("heading", { name: "Empty" }).waitFor();

	await page.keyboard.press("Escape");
	await wall.waitFor({ state: "detached" });
	await page.waitForFunction(() => document.activeElement?.textContent?.includes("TV mode"));
	// React runs the effect that releases the display after the dialog has left the page.
	await page.waitForFunction(() => (globalThis as unknown as { wakeLocks: number }).wakeLocks === 0);
	await leave();
});
