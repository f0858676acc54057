import assert from "node:assert/strict";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
	type BrowserContextOptions,
	launchBrowser,
	newVisitor,
	type Page,
} from "../../../server/test/support/browser.ts";
import { testApp } from "../../../server/test/support/test-app.ts";
import { axeFaults } from "../support/axe.ts";
import { fits } from "../support/geometry.ts";

const helpDir = fileURLToPath(new URL("../../../help/dist/", import.meta.url));

const [app, browser] = await Promise.all([testApp({ helpDir }), launchBrowser()]);
after(async () => {
	await browser.close();
	await app.close();
});
const root = await app.address();

interface View extends BrowserContextOptions {
	readonly width?: number;
	readonly cookies?: Readonly<Record<string, string>>;
}

/** Looks at the help as a stranger; fails when the page logged something, broke its policy, or asked another host. */
async function look(view: View, journey: (page: Page) => Promise<void>): Promise<void> {
	const { width = 1440, cookies = {}, ...options } = view;
	const context = await newVisitor(browser, { viewport: { width, height: 900 }, ...options });
	await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url: root })));
	const page = await context.newPage();
	const problems: string[] = [];
	page.on("console", (message) => problems.push(message.text()));
	page.on("pageerror", (error) => problems.push(error.message));
	page.on("request", (request) => {
		if (!request.url().startsWith(`${root}/`)) problems.push(request.url());
	});
	await journey(page);
	await context.close();
	assert.deepEqual(problems, []);
}

test("a stranger opens the help, follows a link, and finds a section by keys alone", () =>
	look({}, async (page) => {
		await page.goto(`${root}/help`);
		await page.getByRole("main").getByRole("link", { name: "Webhooks" }).click();
		await page.waitForURL("**/help/webhooks");
		await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
		assert.equal(
			await page.getByRole("navigation", { name: "Pages" }).locator("[aria-current]").textContent(),
			"Webhooks",
		);
		const here = page.getByRole("navigation", { name: "On this page" });
		await here.getByRole("link", { name: "Verifying a request" }).click();
		assert.equal(new URL(page.url()).hash, "#verifying-a-request");

		await page.keyboard.press("/");
		await page.keyboard.type("acess logs");
		const results = page.locator(".results a");
		await results.first().waitFor();
		assert.equal(await results.first().locator("strong").textContent(), "Access logs");
		assert.match((await page.getByRole("status").textContent()) ?? "", /^\d+ sections?$/);
		await page.keyboard.press("ArrowDown");
		await page.keyboard.press("ArrowDown");
		await page.keyboard.press("ArrowUp");
		await page.keyboard.press("Enter");
		await page.waitForURL("**/help/imports#access-logs");

		await page.keyboard.press("/");
		await page.keyboard.type("xyzzyplugh");
		await page.getByText("Nothing found").waitFor();
		await page.keyboard.press("Escape");
		await page.locator("dialog.search").waitFor({ state: "hidden" });
	}));

test("the search goes to a section of the page at hand, and loads what it looks through when it is opened", () =>
	look({ width: 390 }, async (page) => {
		const loaded: string[] = [];
		page.on("request", (request) => loaded.push(request.url()));
		await page.goto(`${root}/help/api`);
		assert.ok(loaded.every((url) => !url.endsWith(".json")));
		await page.getByRole("button", { name: "Search" }).click();
		await page.getByRole("searchbox").fill("how many requests");
		await page.locator(".results").getByRole("link", { name: "How many requests" }).first().click();
		await page.locator("dialog.search").waitFor({ state: "hidden" });
		assert.equal(new URL(page.url()).hash, "#how-many-requests");
	}));

test("the help looks as its reader chose in the dashboard, and tells Spanish readers that it is in English", async () => {
	const [dark, light] = ["rgb(16, 20, 24)", "rgb(246, 247, 249)"];
	for (const [view, colour, isTold] of [
		[{ cookies: { footfall_theme: "dark", footfall_lang: "es" } }, dark, true],
		[{ colorScheme: "dark", locale: "es-MX" }, dark, true],
		[{ cookies: { footfall_theme: "light", footfall_lang: "en" }, locale: "es-ES", colorScheme: "dark" }, light, false],
	] as const)
		await look(view, async (page) => {
			await page.goto(`${root}/help`);
			assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), colour);
			assert.equal(await page.getByText("Estas páginas están solo en inglés.").isVisible(), isTold);
		});
});

test("without scripts the pages are read and followed all the same", () =>
	look({ javaScriptEnabled: false, width: 390 }, async (page) => {
		await page.goto(`${root}/help/architecture`);
		assert.ok(!(await page.getByRole("button", { name: "Search" }).isVisible()));
		assert.ok(await page.getByRole("img", { name: /^Tracker and API clients/ }).isVisible());
		await page
			.getByRole("link", { name: "Next: Contributing" })
			.or(page.getByRole("link", { name: "Contributing" }))
			.first()
			.click();
		await page.getByRole("heading", { level: 1, name: "Contributing" }).waitFor();
	}));

const looked = ["", "/webhooks", "/architecture", "/dashboard", "/nothing"];
for (const width of [1440, 390]) {
	test(`at ${width} px axe finds nothing in light and dark, and nothing overflows or overlaps`, async () => {
		const context = await newVisitor(browser, { viewport: { width, height: 900 }, bypassCSP: true });
		const page = await context.newPage();
		for (const path of looked) {
			await page.goto(`${root}/help${path}`);
			for (const colorScheme of ["light", "dark"] as const) {
				await page.emulateMedia({ colorScheme });
				assert.deepEqual(await axeFaults(page), [], `${path} ${colorScheme}`);
			}
			await fits(page, [width], path);
		}
		await page.keyboard.press("/");
		await page.keyboard.type("visitors");
		await page.locator(".results a").first().waitFor();
		assert.deepEqual(await axeFaults(page), []);
		await fits(page, [width]);
		await context.close();
	});
}

test("on paper a page is its text: no bars, no buttons, nothing cut off", () =>
	look({ colorScheme: "dark" }, async (page) => {
		await page.goto(`${root}/help/api`);
		await page.emulateMedia({ media: "print" });
		for (const part of [".top", ".contents", ".here", ".anchor", ".next"])
			assert.ok(!(await page.locator(part).first().isVisible()), part);
		const cut = await page.evaluate(
			() => [...document.querySelectorAll("pre")].filter((block) => block.scrollWidth > block.clientWidth + 1).length,
		);
		assert.equal(cut, 0);
		assert.equal(await page.evaluate(() => getComputedStyle(document.body).color), "rgb(27, 31, 36)");
	}));
