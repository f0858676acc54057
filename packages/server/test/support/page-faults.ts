import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach } from "node:test";
import { type Browser, type BrowserContext, launchBrowser, newVisitor, type Page } from "./browser.ts";

const NARROW = { width: 320, height: 640 };
const WIDE = { width: 1280, height: 800 };

/** A page of a visitor without JavaScript, anew for each test of the file that calls this; complaints that match are of no matter. */
export function plainPages(harmless: RegExp) {
	let browser: Browser;
	const pages = {
		context: {} as BrowserContext,
		page: {} as Page,
		/** What the browser told of this page, such as what its policy made it leave out; a test ends with none of it. */
		complaints: [] as string[],
		heading: () => pages.page.textContent("h1"),
		fill: async (fields: Readonly<Record<string, string>>) => {
			for (const [name, value] of Object.entries(fields)) await pages.page.fill(`#${name}`, value);
		},
		/** Presses the main button of the page. */
		send: () => pages.page.click("button.main"),
		/** The page can be used by everybody, on a telephone, on a desk, and with letters of twice the size. */
		assertUsable: async (what: string) => {
			const { page } = pages;
			const check = async (how: string) => assert.deepEqual(await page.evaluate(findFaults), [], `${what}, ${how}`);
			await check("narrow");
			await page.setViewportSize(WIDE);
			await check("wide");
			await page.setViewportSize(NARROW);
			await page.evaluate("document.documentElement.style.fontSize = '210%'");
			await check("large letters");
			await page.evaluate("document.documentElement.style.fontSize = ''");
		},
	};
	before(async () => {
		browser = await launchBrowser();
	});
	beforeEach(async () => {
		pages.context = await newVisitor(browser, { javaScriptEnabled: false, viewport: NARROW });
		pages.page = await pages.context.newPage();
		pages.complaints = [];
		pages.page.on("console", (message) => pages.complaints.push(message.text()));
	});
	afterEach(async () => {
		await pages.context.close();
		const told = pages.complaints.filter((text) => !harmless.test(text));
		assert.deepEqual(told, []);
	});
	after(() => browser?.close());
	return pages;
}

/**
 * Finds accessibility faults: elements without a name, broken references, missing landmarks, small targets, and content wider than the
 * window.
 */
const findFaults = `(() => {
	const faults = [];
	const all = (selector) => [...document.querySelectorAll(selector)];
	const check = (isMet, fault) => { if (!isMet) faults.push(fault); };
	check(document.documentElement.lang === "en", "the language is not named");
	check(document.title.trim() !== "", "the window has no title");
	check(all("h1").length === 1, "there is not one heading of the first level");
	check(all("main").length === 1 && all("header").length === 1, "the landmarks are not one header and one main");
	check(all("main h1, main form").length === all("h1, form").length, "something stands outside of main");
	for (const element of all("input:not([type=hidden]), select")) {
		const labels = [...(element.labels ?? [])].map((label) => label.textContent.trim());
		check(labels.length === 1 && labels[0] !== "", element.id + " has not one label");
		check(element.type === "radio" || element.name === element.id, element.id + " has another name");
	}
	for (const element of all("fieldset")) check(element.querySelector("legend")?.textContent.trim(), "a group has no legend");
	for (const element of all("button, a")) check(element.textContent.trim() !== "", "a button or link has no text");
	for (const element of all("[aria-describedby]")) {
		for (const id of element.getAttribute("aria-describedby").split(" ")) {
			check(document.getElementById(id)?.textContent.trim(), element.id + " is described by nothing: " + id);
		}
	}
	for (const element of all("[aria-invalid=true]")) {
		check(element.getAttribute("aria-describedby")?.includes(element.id + "-fault"), element.id + " does not say its fault");
	}
	const ids = all("[id]").map(({ id }) => id);
	check(new Set(ids).size === ids.length, "an id stands twice");
	check(all("[tabindex], [accesskey]").length === 0, "the order of the focus is not that of the page");
	check(all("script, iframe, img, link, object, embed, body [style]").length === 0, "there is more than text and forms");
	check(all("*").every((element) => element.getAttributeNames().every((name) => !name.startsWith("on"))), "there is a handler");
	for (const element of all("input:not([type=hidden]):not([type=radio]):not([type=checkbox]), select, button")) {
		const { width, height } = element.getBoundingClientRect();
		check(width >= 44 && height >= 44, (element.id || element.textContent) + " is too small");
	}
	const { scrollWidth, clientWidth } = document.documentElement;
	check(scrollWidth <= clientWidth, "the page is " + scrollWidth + " wide in a window of " + clientWidth);
	return faults;
})()`;
