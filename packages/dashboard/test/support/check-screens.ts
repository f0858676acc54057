import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "../../../server/test/support/browser.ts";
import { axeFaults } from "./axe.ts";
import { geometryFaults, lengthenTexts } from "./geometry.ts";
import { type DashboardService, openDashboard, type Reader, settled } from "./open-dashboard.ts";

interface ScreensOptions {
	readonly open?: () => Promise<DashboardService>;
	/** Makes what some screens show; what it answers stands for `{name}` in their addresses. */
	readonly fill?: (service: DashboardService) => Promise<Readonly<Record<string, string>> | undefined>;
	/** Whose session it is; ann's when absent. */
	readonly as?: { readonly email: string; readonly password: string };
	/** Addresses that are looked at by somebody who is not signed in. */
	readonly strangers?: readonly string[];
}

/** Looks at screens by their addresses, as a tool for the blind and as somebody with a ruler. */
export function checkScreens(
	paths: readonly string[],
	{ open = openDashboard, fill = async () => undefined, as, strangers = [] }: ScreensOptions = {},
): void {
	let service: DashboardService;
	let names: Readonly<Record<string, string>> = {};
	before(async () => {
		service = await open();
		names = (await fill(service)) ?? {};
	});
	after(() => service?.close());
	const addressOf = (path: string) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? "");

	if (paths.length > 0) {
		describe("signed in", () => checkAs(() => service.read({ bypassCSP: true, ...(as && { as }) }), paths, addressOf));
	}
	if (strangers.length > 0) {
		const read = () => service.read({ bypassCSP: true, isStranger: true });
		describe("not signed in", () => checkAs(read, strangers, addressOf));
	}
}

/** Waits until a page of another size was drawn, and what it then knows of its parts, such as which of them scroll, was drawn too. */
const drawnAnew = (page: Page) =>
	page.evaluate(async () => {
		for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
	});

/** One reader looks at all of them, each address loaded once. */
function checkAs(read: () => Promise<Reader>, paths: readonly string[], addressOf: (path: string) => string): void {
	let reader: Reader;
	before(async () => {
		reader = await read();
	});
	after(() => reader.leave());

	for (const path of paths) {
		test(`${path}: axe finds nothing, in light and dark, on a desk and on a phone`, async () => {
			const { page, goto } = reader;
			await goto(addressOf(path));
			for (const width of [1440, 390]) {
				await page.setViewportSize({ width, height: 900 });
				await drawnAnew(page);
				for (const colorScheme of ["light", "dark"] as const) {
					await page.emulateMedia({ colorScheme });
					// In the dark nothing but colours is another.
					const rules = colorScheme === "dark" ? ["color-contrast"] : undefined;
					assert.deepEqual(await axeFaults(page, rules), [], `${width} px, ${colorScheme}`);
				}
			}
		});

		test(`${path}: nothing overflows, overlaps or is cut, whatever the width and with longer texts`, async () => {
			const { page } = reader;
			for (const width of [1440, 768, 390, 320]) {
				await page.setViewportSize({ width, height: 900 });
				await settled(page);
				assert.deepEqual(await geometryFaults(page), [], `${width} px`);
			}
			await lengthenTexts(page);
			for (const width of [320, 1440]) {
				await page.setViewportSize({ width, height: 900 });
				assert.deepEqual(await geometryFaults(page), [], `${width} px, texts 40 % longer`);
			}
		});
	}
}
