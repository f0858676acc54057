import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { signIn } from "../../../server/test/support/accounts.ts";
import type { Page } from "../../../server/test/support/browser.ts";
import { giveSiteRole } from "../../../server/test/support/site-roles.ts";
import { whole } from "../support/acts.ts";
import { type DashboardService, openDashboard } from "../support/open-dashboard.ts";

interface Overview {
	readonly traffic: Readonly<Record<"entrances" | "visitors" | "bounce_rate", number>>;
	readonly conversions: Readonly<Record<"revenue" | "conversion_rate", number>>;
}
interface Funnel {
	readonly steps: readonly { readonly name: string; readonly count: number }[];
	readonly overall_conversion_rate: number;
}

let service: DashboardService;
before(async () => {
	service = await openDashboard();
	const bob = await signIn(service.app, { email: "bob@example.com", name: "Bob" });
	await giveSiteRole(service.app, "shop", bob.userId, "viewer");
});
after(() => service?.close());

const euros = new Intl.NumberFormat("en-GB", { style: "currency", currency: "EUR" });

/** Waits until the address says something. */
const addressed = (page: Page, part: string) =>
	page.waitForURL((url) => new URLSearchParams(url.search).toString().includes(new URLSearchParams(part).toString()));
/** Presses a button by keys. */
async function press(page: Page, name: string): Promise<void> {
	await page.getByRole("button", { name, exact: true }).focus();
	await page.keyboard.press("Enter");
}

test("the totals of a pivot are those of the overview, with filters too; dimensions are added, moved and taken away by keys", async () => {
	const { page, goto, api, leave } = await service.read();
	const overview = async (filters = "") => {
		const { traffic, conversions } = await api<Overview>(`/stats/overview?site_id=shop&period=7d${filters}`);
		return [
			whole.format(traffic.entrances),
			whole.format(traffic.visitors),
			`${traffic.bounce_rate.toFixed(1)} %`,
			euros.format(conversions.revenue),
			`${conversions.conversion_rate.toFixed(1)} %`,
		];
	};
	/** The cells below “All” in the row of totals, once the first of them is there. */
	const shown = async ([first = ""]: readonly string[]) => {
		const row = page.getByRole("row", { name: /^All/ }).filter({ hasText: first });
		await row.waitFor();
		return (await row.getByRole("cell").allTextContents()).slice(-5);
	};
	const all = await overview();
	const figures = ["entrances", "visitors", "bounce_rate", "revenue", "conversion_rate"].map(
		(key) => `view=fig:${key}`,
	);
	await goto(
		`/sites/shop/explore?period=7d&compare=none&view=row:utm_source&view=col:device_type&${figures.join("&")}`,
	);
	assert.deepEqual(await shown(all), all);
	await page.getByRole("rowheader", { name: "google" }).getByRole("button").click();
	await addressed(page, "f=utm_source:eq:google");
	const google = await overview("&filters=utm_source:eq:google");
	assert.notDeepEqual(google, all);
	assert.deepEqual(await shown(google), google);

	await goto("/sites/shop/explore?period=7d&view=row:utm_source&view=fig:entrances");
	await press(page, "Add row dimension");
	await press(page, "Country");
	await page.getByRole("columnheader", { name: "Source › Country" }).waitFor();
	await press(page, "Country");
	await press(page, "Move to columns");
	await addressed(page, "view=col:country");
	await page.getByRole("columnheader", { name: "Spain" }).waitFor();
	await press(page, "Remove Source");
	await page.getByRole("columnheader", { name: "Source" }).waitFor({ state: "detached" });
	await leave();
});

/** Waits until the drawing is of these steps, and compares its figures with what the API answers. */
async function drawn(page: Page, steps: readonly string[]): Promise<void> {
	const funnel = await service.send<Funnel>("POST /stats/funnel?site_id=shop&period=30d", { steps });
	const items = page.getByRole("list", { name: "Visits by step" }).getByRole("listitem");
	for (const [at, step] of steps.entries()) await items.nth(at).getByText(step, { exact: true }).waitFor();
	await page.getByText(`visits completed the funnel: ${funnel.overall_conversion_rate.toFixed(1)} %`).waitFor();
	assert.deepEqual(
		await items.locator("strong").allTextContents(),
		funnel.steps.map(({ count }) => whole.format(count)),
	);
}

test("a funnel is built by mouse and by keys, shows what the API answers, and its steps change places", async () => {
	const { page, goto, leave } = await service.read();
	await goto("/sites/shop/funnels");
	await page.getByLabel("Step 1", { exact: true }).fill("/");
	await page.getByLabel("Type of step 2").selectOption("event");
	await page.getByLabel("Step 2", { exact: true }).fill("add_to_cart");
	await page.getByRole("button", { name: "Add page" }).click();
	await addressed(page, "view=event:add_to_cart");
	await page.getByLabel("Step 3", { exact: true }).fill("/shop*");
	await page.getByRole("heading", { name: "Funnels" }).click();
	await drawn(page, ["/", "add_to_cart", "/shop*"]);
	await page.getByRole("button", { name: "Remove step 2" }).click();
	await drawn(page, ["/", "/shop*"]);
	await press(page, "Add event");
	await page.getByLabel("Step 3", { exact: true }).focus();
	await page.keyboard.type("add_to_cart");
	await page.keyboard.press("Enter");
	await drawn(page, ["/", "/shop*", "add_to_cart"]);
	await page.getByLabel("Step 3", { exact: true }).and(page.locator(":focus")).waitFor();
	await press(page, "Move step 2 up");
	await drawn(page, ["/shop*", "/", "add_to_cart"]);
	await leave();
});

const views = (page: Page) => page.getByRole("button", { name: "Views", exact: true }).click();

test("a funnel is kept and shared; a colleague opens it, cannot change it, and keeps one alone", async () => {
	const steps = "view=page:/&view=event:add_to_cart";
	const { page, goto, leave } = await service.read();
	await goto(`/sites/shop/funnels?period=7d&${steps}`);
	await views(page);
	await page.getByLabel("Save this view as").fill("To the cart");
	await page.getByLabel("Share with everyone on this site").check();
	await page.getByRole("button", { name: "Save" }).click();
	await page.getByText("“To the cart” saved.").waitFor();

	const bob = await service.read({ as: "bob@example.com" });
	await bob.goto("/sites/shop/funnels");
	await views(bob.page);
	const shared = bob.page.getByRole("region", { name: "Shared by colleagues" });
	await shared.getByText("by Ann").waitFor();
	assert.equal(await bob.page.getByRole("button", { name: /^Edit/ }).count(), 0);
	assert.equal(await bob.page.getByLabel("Share with everyone on this site").count(), 0);
	await shared.getByRole("button", { name: /^To the cart/ }).click();
	await bob.page.waitForURL((url) => url.search === `?period=7d&${steps}`);
	await views(bob.page);
	await bob.page.getByLabel("Save this view as").fill("Mine");
	await bob.page.keyboard.press("Enter");
	await bob.page.getByText("“Mine” saved.").waitFor();
	await bob.leave();

	await views(page);
	assert.equal(await page.getByText("Mine").count(), 0);
	await page.getByRole("button", { name: "Edit “To the cart”" }).click();
	await page.getByLabel("Name", { exact: true }).fill("Into the cart");
	await page.getByRole("button", { name: "Save" }).first().click();
	await page.getByRole("button", { name: "Edit “Into the cart”" }).click();
	await page.getByRole("button", { name: "Delete" }).click();
	await page.getByText("No saved funnels yet.").waitFor();
	await page.keyboard.press("Escape");
	await page.getByRole("button", { name: "Undo" }).last().click();
	await views(page);
	await page.getByRole("button", { name: /^Into the cart/ }).waitFor();
	await leave();
});

test("a view of the report is its address; kept again under its name it shows what is there now", async () => {
	const { page, goto, leave } = await service.read();
	const keep = async (button: string) => {
		await views(page);
		await page.getByLabel("Save this view as").fill("Phones");
		await page.getByRole("button", { name: button, exact: true }).click();
	};
	await goto("/sites/shop?period=7d&compare=none&metric=revenue&f=device_type:eq:mobile");
	await keep("Save");
	await page.getByText("“Phones” saved.").waitFor();
	await goto("/sites/shop?period=90d&by=weekly");
	await keep("Replace");
	await page.getByText("“Phones” updated.").waitFor();
	await goto("/sites/shop");
	await views(page);
	await page.getByRole("button", { name: "Phones", exact: true }).click();
	await page.waitForURL((url) => url.search === "?period=90d&by=weekly");
	await views(page);
	await page.locator('[aria-current="true"]', { hasText: "Phones" }).waitFor();
	await leave();
});
