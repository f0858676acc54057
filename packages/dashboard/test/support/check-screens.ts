import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { axeFaults } from "./axe.ts";
import { geometryFaults, lengthenTexts } from "./geometry.ts";
import { answered, type DashboardService, openDashboard, type Reader, settled, type View } from "./open-dashboard.ts";

/** The reader and the addresses to open; `{name}` in an address is one of the names that `fill` answers. */
interface Looks {
	readonly by: string;
	readonly view?: View;
	readonly paths: readonly string[];
}

/** Addresses below one, which are told apart by blanks. */
export const below = (base: string, paths: string): readonly string[] =>
	paths
		.trim()
		.split(/\s+/)
		.map((path) => base + path);

interface ScreensOptions {
	readonly open?: () => Promise<DashboardService>;
	/** Makes records that some screens show. */
	readonly fill?: (service: DashboardService) => Promise<Readonly<Record<string, string>>>;
}

/** Looks at screens by their addresses, with axe and with a ruler; `service` may be used by further tests of the file. */
export function checkScreens(looks: readonly Looks[], { open = openDashboard, fill }: ScreensOptions = {}) {
	const opened = {} as { service: DashboardService };
	let names: Readonly<Record<string, string>> = {};
	before(async () => {
		opened.service = await open();
		names = (await fill?.(opened.service)) ?? {};
	});
	after(() => opened.service?.close());
	for (const { by, view, paths } of looks) {
		describe(by, () => {
			let reader: Reader;
			before(async () => {
				reader = await opened.service.read({ ...view, bypassCSP: true });
			});
			after(() => reader.leave());
			for (const path of paths) {
				test(`${path}: axe finds nothing, and nothing overflows, overlaps or is cut at 320 and 1440 px, also with longer texts`, () =>
					checkScreen(
						reader,
						path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? ""),
					));
			}
		});
	}
	return opened;
}

async function checkScreen({ page, goto }: Reader, path: string): Promise<void> {
	await goto(path);
	if (path.includes("panel=")) await page.getByRole("dialog").waitFor();
	await answered(page);
	assert.deepEqual(await axeFaults(page), []);
	assert.deepEqual(await geometryFaults(page), [], "1440 px");
	await resize(page, 320);
	assert.deepEqual(await geometryFaults(page), [], "320 px");
	const shorten = await lengthenTexts(page);
	assert.deepEqual(await geometryFaults(page), [], "320 px, texts 40 % longer");
	await resize(page, 1440);
	assert.deepEqual(await geometryFaults(page), [], "1440 px, texts 40 % longer");
	await shorten();
}

/** Gives the window a width, and waits until the page and what it then knows of its parts, such as which of them scroll, are drawn. */
export async function resize(page: Reader["page"], width: number): Promise<void> {
	await page.setViewportSize({ width, height: 900 });
	await page.evaluate(async () => {
		for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
	});
	await settled(page);
}
