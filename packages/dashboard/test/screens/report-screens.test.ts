import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "../../../server/test/support/browser.ts";
import { axeFaults } from "../support/axe.ts";
import { below, checkScreens } from "../support/check-screens.ts";
import { fits } from "../support/geometry.ts";
import type { DashboardService, Reader } from "../support/open-dashboard.ts";

/** The page of a new link. */
async function linked({ send }: DashboardService, page: "share" | "embed", input: object): Promise<string> {
	const link = { name: "For a partner with a long name", ...input };
	return new URL((await send<{ url: string }>("POST /sites/shop/share-links", link)).url).pathname.replace(
		"share",
		page,
	);
}

const service = checkScreens(
	[
		{
			by: "a reader",
			paths: [
				"/sites/shop?metric2=revenue",
				"/sites/shop?panel=definition:bounce_rate",
				"/sites/shop?panel=sources",
				"/sites/shop?f=utm_source:eq:google&f=country:ne:US&compare=yoy&metric=revenue",
				...below(
					"/sites/shop/",
					`why live ask insights insights/reports goals goals/events?period=7d
					goals/properties?view=key:plan funnels?view=page:/&view=event:purchase
					explore?view=row:device_type&view=row:os&view=col:utm_medium&view=fig:entrances&view=fig:revenue
					explore?view=row:utm_source&view=col:device_type&view=as:bars
					explore?view=row:date&view=col:device_type&view=as:lines bots exports?f=device_type:eq:mobile`,
				),
				"/sites/empty",
				"/sites/empty/goals",
				"/sites/empty/insights",
			],
		},
		{
			by: "somebody with a link",
			view: { isStranger: true },
			paths: ["{report}", "{locked}", "{framed}", "/share/nothing"],
		},
	],
	{
		fill: async (service) => ({
			report: await linked(service, "share", { lists: ["sources", "countries", "hours"], may_filter: true }),
			locked: await linked(service, "share", { password: "open sesame" }),
			framed: await linked(service, "embed", { lists: ["pages", "devices"], embed_origins: ["https://a.example"] }),
		}),
	},
);

describe("the report", () => {
	const report = "/sites/shop?metric2=revenue&f=utm_source:eq:google";

	test("axe finds nothing in the dark on a phone", async (t) => {
		const view = { scheme: "dark", width: 390, bypassCSP: true } as const;
		const { page } = await service.open(t, report, view);
		assert.deepEqual(await axeFaults(page), []);
	});

	const outlineOf = (page: Page, selected: boolean) =>
		page
			.getByRole("tab", { selected })
			.first()
			.evaluate((tab) => getComputedStyle(tab).outlineStyle);
	const changes: Readonly<Record<string, (reader: Reader) => Promise<void>>> = {
		"from right to left": ({ page }) =>
			page.evaluate(() => {
				document.documentElement.dir = "rtl";
			}),
		"with the reader's own colours, by which the chosen tab has an outline": async ({ page }) => {
			await page.emulateMedia({ forcedColors: "active" });
			assert.deepEqual([await outlineOf(page, true), await outlineOf(page, false)], ["solid", "none"]);
		},
		"with texts of twice the size": async ({ page, context }) => {
			const session = await context.newCDPSession(page);
			await session.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
		},
	};
	for (const [title, change] of Object.entries(changes)) {
		test(`nothing overflows, overlaps or is cut ${title}, on a desk and on a phone`, async (t) => {
			const reader = await service.open(t, report);
			await change(reader);
			await fits(reader.page, [1440, 390]);
		});
	}
});
