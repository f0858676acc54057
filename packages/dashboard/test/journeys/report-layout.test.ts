import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Page } from "../../../server/test/support/browser.ts";
import { frames, tabTo } from "../support/acts.ts";
import { answered, type Reader, sharedDashboard } from "../support/open-dashboard.ts";

const service = sharedDashboard();

const boxOf = async (part: ReturnType<Page["locator"]>) => {
	const { x, y, width, height } = (await part.boundingBox()) ?? assert.fail("It is not drawn");
	return { left: x, top: y, right: x + width, bottom: y + height };
};

/** Loads an address whose figures wait for `answer`. */
async function loadHeld({ page, load }: Reader, path: string, held: string | RegExp = "**/api/v1/batch") {
	const { promise, resolve: answer } = Promise.withResolvers<void>();
	await page.route(held, async (route) => {
		await promise;
		await route.continue();
	});
	return { page, answer, loaded: load(path) };
}

const openHeld = async (t: TestContext, width: number, path: string) =>
	loadHeld(await service.read(t, { width, height: 844, hasTouch: width < 500 }), path);

test("while figures load, strip, chart and lists are skeletons of their final place and size, on a desk and on a phone", async (t) => {
	for (const width of [1440, 390]) {
		const { page, answer, loaded } = await openHeld(t, width, "/sites/shop");
		const parts = ["Key metrics", "Figures over time", "Sources", "Pages"].map((name) =>
			page.getByRole("region", { name, exact: true }),
		);
		for (const part of parts.slice(0, 3)) await part.locator(".placeholder").first().waitFor({ state: "attached" });
		const before = await Promise.all(parts.map(boxOf));
		answer();
		await loaded;
		assert.deepEqual(await Promise.all(parts.map(boxOf)), before);
		assert.equal(await page.locator(".placeholder").count(), 0);
	}
});

test("while sites load, their cards are skeletons of their final place and size, on a desk and on a phone", async (t) => {
	for (const width of [1440, 390]) {
		const { page, answer, loaded } = await openHeld(t, width, "/sites");
		const skeleton = await boxOf(page.locator(".placeholder").first());
		answer();
		await loaded;
		assert.deepEqual(await boxOf(page.getByRole("main").getByRole("listitem").first()), skeleton);
	}
});

/** The touch screen is taken off and put on again: rows are lower for a while. */
async function withoutTouch({ page, context }: Reader): Promise<void> {
	const session = await context.newCDPSession(page);
	for (const enabled of [false, true]) {
		await session.send("Emulation.setTouchEmulationEnabled", { enabled, maxTouchPoints: 1 });
		await frames(page);
	}
}

test("goals, explore and insights that load again are skeletons of their size before, on a desk, and on a phone that was without touch for a while", async (t) => {
	for (const width of [1440, 390]) {
		const reader = await service.read(t, { width, height: 844, hasTouch: width < 500 });
		for (const path of ["goals", "explore", "insights"]) {
			await reader.load(`/sites/shop/${path}`);
			await answered(reader.page);
			// Parts of parts ask when they are drawn, and a height is kept with the frame after it.
			await frames(reader.page);
			await answered(reader.page);
			await frames(reader.page);
			const parts = reader.page.locator("main, main section");
			const boxes = async () => Promise.all((await parts.all()).map(boxOf));
			const before = await boxes();
			if (width < 500) await withoutTouch(reader);
			const { page, answer, loaded } = await loadHeld(
				reader,
				`/sites/shop/${path}`,
				/\/api\/v1\/(batch|lens|alerts|stats)/,
			);
			await page.locator(".placeholder").first().waitFor({ state: "attached" });
			const [main] = await boxes();
			assert.deepEqual(main, before[0], `${path} at ${width} px`);
			answer();
			await loaded;
			await answered(page);
			assert.deepEqual(await boxes(), before, `${path} at ${width} px`);
		}
	}
});

test("no name of a tile is cut at any width, in either language, by mouse and by touch", async (t) => {
	for (const language of ["en", "es"] as const) {
		for (const hasTouch of [false, true]) {
			const { page } = await service.open(t, "/sites/shop", { language, hasTouch });
			const names = page
				.getByRole("region", { name: language === "en" ? "Key metrics" : "Métricas" })
				.locator("[title]");
			for (const width of [1440, 1280, 1100, 1024, 900, 768, 700, 620, 560, 480, 420, 390, 375, 320]) {
				await page.setViewportSize({ width, height: 900 });
				const cut = await names.evaluateAll((all) =>
					all.flatMap((name) =>
						name.scrollWidth > name.clientWidth && name.clientWidth > 0 ? [name.textContent] : [],
					),
				);
				assert.deepEqual(cut, [], `${language}, ${width} px`);
			}
		}
	}
});

test("on a phone one row holds period, comparison and filter, the metrics are two rows, and the whole chart is above the fold", async (t) => {
	const { page } = await service.open(t, "/sites/shop", { width: 390, height: 844, hasTouch: true });
	const controls = await Promise.all(
		[/^Period: /, /^Comparison: /, "Filter"].map((name) => boxOf(page.getByRole("button", { name }))),
	);
	assert.equal(new Set(controls.map(({ top }) => top)).size, 1);
	assert.ok(controls.every(({ left, right }) => left >= 0 && right <= 390));
	const metrics = page.getByRole("region", { name: "Key metrics" });
	const tiles = await Promise.all((await metrics.getByRole("listitem").all()).map(boxOf));
	assert.equal(tiles.length, 8);
	assert.deepEqual([...new Set(tiles.map(({ top }) => top - (tiles[0]?.top ?? 0)))].length, 2);
	// The chart's name, granularity and actions are one row, what its lines are another one.
	const head = await boxOf(page.getByRole("region", { name: "Figures over time" }).locator("header"));
	assert.ok(head.bottom - head.top <= 100, `${head.bottom - head.top}`);
	const navigation = await boxOf(page.getByRole("navigation", { name: "Screens" }));
	const chart = await boxOf(page.getByRole("slider"));
	assert.ok(chart.bottom <= navigation.top, `${chart.bottom} ${navigation.top}`);
	await tabTo(page, /^Revenue/);
	await page.keyboard.press("Enter");
	await page.getByRole("heading", { name: "Revenue", level: 2 }).waitFor();
	await tabTo(page, "About “Revenue”");
	await page.keyboard.press("Enter");
	await page.getByRole("dialog", { name: "Revenue" }).waitFor();
});
