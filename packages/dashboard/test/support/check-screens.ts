import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { axeFaults } from "./axe.ts";
import { fits, lengthenTexts } from "./geometry.ts";
import { answered, type DashboardService, type Reader, sharedDashboard, type View } from "./open-dashboard.ts";

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
export function checkScreens(looks: readonly Looks[], { open, fill }: ScreensOptions = {}) {
	let names: Readonly<Record<string, string>> = {};
	const service = sharedDashboard(open, async (opened) => {
		names = (await fill?.(opened)) ?? {};
	});
	for (const { by, view, paths } of looks) {
		describe(by, () => {
			let reader: Reader;
			before(async () => {
				reader = await service.enter({ ...view, bypassCSP: true });
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
	return service;
}

async function checkScreen({ page, goto }: Reader, path: string): Promise<void> {
	await goto(path);
	if (path.includes("panel=")) await page.getByRole("dialog").waitFor();
	await answered(page);
	assert.deepEqual(await axeFaults(page), []);
	await fits(page, [1440, 320]);
	const shorten = await lengthenTexts(page);
	await fits(page, [320, 1440], "with texts 40 % longer");
	await shorten();
}
