import type { Browser, BrowserContext, Page } from "../../packages/server/test/support/browser.ts";

/** Browser timings of one opening of the report; ms from the request of the page on. */
export interface PageFigures {
	readonly firstPaint: number;
	readonly largestPaint: number;
	/** No visible tile is loading any more. */
	readonly tiles: number;
	/** From the moment at which the application's script began until then. */
	readonly tilesAfterStart: number;
	readonly layoutShift: number;
	/** Requests until then. */
	readonly requests: readonly string[];
}

/** A machine and a line. */
export interface Conditions {
	readonly name: string;
	readonly width: number;
	/** How many times slower the processor is. */
	readonly slower: number;
	/** Bits a second, and ms that a packet travels there and back; the machine's own when absent. */
	readonly line?: { readonly bits: number; readonly roundTrip: number };
}

declare global {
	var figures: { paint: number; largest: number; shift: number; tiles: number; slowest: number };
}

/** Runs in each page before its own scripts: notes what the browser tells, and when nothing is loading any more. */
function observe(): void {
	globalThis.figures = { paint: 0, largest: 0, shift: 0, tiles: 0, slowest: 0 };
	const note = (type: string, take: (entry: PerformanceEntry) => void) =>
		new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
			type,
			buffered: true,
			...(type === "event" && { durationThreshold: 16 }),
		} as PerformanceObserverInit);
	note("paint", ({ name, startTime }) => {
		if (name === "first-contentful-paint") figures.paint = startTime;
	});
	note("largest-contentful-paint", ({ startTime }) => {
		figures.largest = startTime;
	});
	note("layout-shift", (entry) => {
		const { value, hadRecentInput } = entry as unknown as { value: number; hadRecentInput: boolean };
		if (!hadRecentInput) figures.shift += value;
	});
	note("event", ({ duration }) => {
		figures.slowest = Math.max(figures.slowest, duration);
	});
	const look = () => {
		// On a desk rows of two lists belong to what one sees first, on a phone the figures alone do.
		const lists = innerWidth < 1_000 ? 0 : 2;
		const isThere =
			document.querySelector("main button[aria-pressed]") !== null &&
			document.querySelectorAll("main ol").length >= lists;
		const isVisible = (element: Element) => element.getBoundingClientRect().top < innerHeight;
		const isLoading = [...document.querySelectorAll("[data-loading], [aria-busy]")].some(isVisible);
		if (isThere && !isLoading) figures.tiles = performance.now();
		else requestAnimationFrame(look);
	};
	requestAnimationFrame(look);
}

/** Opens a context under some conditions, as somebody whose session is good. */
export async function openContext(
	browser: Browser,
	{ width }: Conditions,
	state: Awaited<ReturnType<BrowserContext["storageState"]>>,
) {
	const context = await browser.newContext({ viewport: { width, height: 900 }, storageState: state });
	await context.addInitScript(observe);
	return context;
}

/** Opens a new page that is as slow as the conditions say. */
export async function openPage(context: BrowserContext, { slower, line }: Conditions): Promise<Page> {
	const page = await context.newPage();
	const browser = await context.newCDPSession(page);
	await browser.send("Emulation.setCPUThrottlingRate", { rate: slower });
	if (line !== undefined) {
		const throughput = line.bits / 8;
		await browser.send("Network.emulateNetworkConditions", {
			offline: false,
			latency: line.roundTrip,
			downloadThroughput: throughput,
			uploadThroughput: throughput,
		});
	}
	return page;
}

/** Opens an address and answers what it took. */
export async function figuresOf(page: Page, address: string): Promise<PageFigures> {
	await page.goto(address, { waitUntil: "commit" });
	await page.waitForFunction(() => globalThis.figures?.tiles > 0, undefined, { timeout: 60_000 });
	return page.evaluate(() => {
		const { paint, largest, tiles, shift } = globalThis.figures;
		const loads = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
		const script = loads.find(({ name }) => /\/assets\/app-.*\.js$/.test(name));
		const before = loads.filter(({ startTime }) => startTime <= tiles);
		return {
			firstPaint: paint,
			largestPaint: largest,
			tiles,
			tilesAfterStart: tiles - (script?.responseEnd ?? 0),
			layoutShift: shift,
			requests: [
				"/",
				...before.filter(({ transferSize }) => transferSize > 0).map(({ name }) => new URL(name).pathname),
			],
		};
	});
}

/** Paths of all that the page has asked for once nothing moves any more, and of the scripts that its head names. */
export async function loadsAtRest(
	page: Page,
): Promise<{ readonly all: readonly string[]; readonly named: readonly string[] }> {
	await page.waitForLoadState("networkidle");
	return page.evaluate(() => ({
		all: performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname),
		named: [...document.head.querySelectorAll("script[src]")].map((one) => one.getAttribute("src") ?? ""),
	}));
}

/**
 * The longest time from a real click or key to the picture that answers it, as the browser's event timing tells (16 ms
 * where all were shorter), while figures are chosen, rows become filters, and periods change.
 */
export async function slowestInteraction(page: Page, address: string, row: string): Promise<number> {
	await figuresOf(page, address);
	const settled = () => page.waitForFunction(() => document.querySelector("[data-loading], [data-stale]") === null);
	const figures = page.locator("main button[aria-pressed]");
	for (const figure of [1, 2, 3]) {
		await figures.nth(figure).click();
		await settled();
	}
	for (const _ of [1, 2]) {
		await page.locator(row).first().click();
		await settled();
	}
	for (const key of ["w", "m", "ArrowLeft", "t"]) {
		await page.keyboard.press(key);
		await settled();
	}
	return page.evaluate(() => Math.max(16, globalThis.figures.slowest));
}

/** How long people hold the button of a mouse down for a click. */
const PRESS_MS = 80;

/** How an element is clicked: as people do, who come, press and let go, or by a script, which no pointer announces. */
type Click = "pressed" | "scripted";

/**
 * ms from the click on an element (what is pressed clicks when it is let go) until all figures are those of the filter that it sets.
 */
export async function clickUntilDrawn(page: Page, selector: string, click: Click): Promise<number> {
	const drawn = page.evaluate(untilDrawn, { selector, isScripted: click === "scripted" });
	if (click === "pressed") {
		await page.locator(selector).first().hover();
		await page.mouse.down();
		await page.waitForTimeout(PRESS_MS);
		await page.mouse.up();
	}
	return drawn;
}

/**
 * Waits for the click, or makes it. It looks when something has changed: looking at each frame would make the browser draw all of them,
 * on the processors that the answers come from.
 */
async function untilDrawn({ selector, isScripted }: { selector: string; isScripted: boolean }): Promise<number> {
	const element = document.querySelector<HTMLElement>(selector);
	if (element === null) throw new Error(`There is no ${selector}`);
	const before = location.href;
	const clicked = new Promise<Event>((resolve) =>
		element.addEventListener("click", resolve, { capture: true, once: true }),
	);
	if (isScripted) element.click();
	const began = (await clicked).timeStamp;
	const isVisible = (part: Element) => part.getBoundingClientRect().top < innerHeight;
	const waits = () => [...document.querySelectorAll("[aria-busy], [data-stale]")].some(isVisible);
	const isSettled = () => location.href !== before && !waits();
	const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
	const change = () =>
		new Promise<void>((resolve) => {
			const observer = new MutationObserver(() => {
				observer.disconnect();
				resolve();
			});
			observer.observe(document, { subtree: true, childList: true, attributes: true });
		});
	for (;;) {
		await frame();
		// Two frames in a row, as the questions leave after the first one.
		if (!isSettled()) await change();
		else {
			await frame();
			if (isSettled()) return performance.now() - began;
		}
	}
}
