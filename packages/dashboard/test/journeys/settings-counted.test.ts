import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { signIn } from "../../../server/test/support/accounts.ts";
import type { Page } from "../../../server/test/support/browser.ts";
import { enlist } from "../../../server/test/support/enlist.ts";
import { sendHit } from "../../../server/test/support/hits.ts";
import { type DashboardService, openDashboard } from "../support/open-dashboard.ts";

interface Users {
	readonly users: readonly { readonly name: string; readonly role: string; readonly via: string }[];
}
type Row = Readonly<Record<string, unknown>>;

let service: DashboardService;
before(async () => {
	service = await openDashboard();
});
after(() => service?.close());

/** A row of a list by its words. */
const row = (page: Page, words: string) => page.getByRole("listitem").filter({ hasText: words });
const save = (page: Page) => page.getByRole("button", { name: "Save" }).click();
/** Takes back what has just been told; it is done when its list is asked again. */
async function undo(page: Page, told: string, list: string): Promise<void> {
	const again = page.waitForResponse((one) => one.request().method() === "GET" && one.url().includes(`/api/v1${list}`));
	await page.getByRole("status").getByText(told).getByRole("button", { name: "Undo" }).click();
	await again;
	await page.getByText("Undone.").last().waitFor();
}

test("somebody of the organization gets a role, another one, and none; each is taken back", async () => {
	const { page, goto, api, leave } = await service.read();
	const cleo = await signIn(service.app, { email: "cleo@example.com", name: "Cleo" });
	const { org_slug: slug } = await api<{ org_slug: string }>("/sites/shop");
	await enlist(service.app, slug, { id: cleo.userId }, "member");
	const people = async () =>
		(await api<Users>("/sites/shop/users")).users.map(({ name, role, via }) => `${name}: ${role} by ${via}`);
	await goto("/sites/shop/settings/people");
	await row(page, "Ann (you)").getByText("Change this role in the organization.").waitFor();
	await page.getByRole("button", { name: "Add person" }).click();
	await page.getByLabel("Role").selectOption("viewer");
	await page.getByRole("dialog").getByRole("button", { name: "Add person" }).click();
	await page.getByText("Cleo added as Viewer.").waitFor();
	assert.deepEqual(await people(), ["Ann: owner by organization", "Cleo: viewer by site"]);
	await page.getByLabel("Role of Cleo").selectOption("editor");
	await page.getByText("Cleo is now Editor.").waitFor();
	assert.equal((await people())[1], "Cleo: editor by site");
	await undo(page, "Cleo is now Editor.", "/sites/shop/users");
	assert.equal((await people())[1], "Cleo: viewer by site");
	await row(page, "cleo@example.com").getByRole("button", { name: "Remove" }).click();
	await undo(page, "Cleo removed.", "/sites/shop/users");
	await page.getByLabel("Role of Cleo").waitFor();
	assert.equal((await people())[1], "Cleo: viewer by site");
	await leave();
});

test("who may only look finds the lists of all settings, and nothing to write with", async () => {
	const { page, goto, leave } = await service.read({ as: "cleo@example.com" });
	for (const [screen, words] of [
		["people", "cleo@example.com"],
		["sources", "No custom parameters."],
		["channels", "No custom rules. The built-in rules apply."],
		["segments", "No custom segments."],
		["blocklist", "No excluded addresses."],
	] as const) {
		await goto(`/sites/shop/settings/${screen}?panel=new`);
		await page.getByText(words).waitFor();
		assert.equal(await page.getByRole("dialog").count(), 0, screen);
		const writes = page.getByRole("button", { name: /^(Add|New|Edit|Import|Remove|Delete|Duplicate|Exclude)/ });
		assert.equal(await writes.count(), 0, screen);
	}
	await leave();
});

test("a parameter of links becomes the source of visits", async () => {
	const { page, goto, api, leave } = await service.read();
	await goto("/sites/shop/settings/sources");
	await page.getByText("A visit to https://shop.example/?partner=acme").waitFor();
	await page.getByRole("button", { name: "Add parameter" }).click();
	await page.getByLabel("Parameter", { exact: true }).fill("partner");
	await page.getByLabel("Maps to").selectOption("Source");
	await save(page);
	await page.getByText("“partner” added.").waitFor();
	assert.equal(await sendHit(service.app, { site: "shop", url: "https://shop.example/?partner=acme" }), 204);
	await service.app.collector?.flush();
	const { data } = await api<{ data: readonly Row[] }>("/stats/sources?site_id=shop&period=today&search=acme");
	assert.deepEqual(
		data.map(({ utm_source, entrances }) => [utm_source, entrances]),
		[["acme", 1]],
	);
	const mappings = async () => (await api<{ mappings: readonly Row[] }>("/sites/shop/utm-mappings")).mappings;
	await page.getByRole("button", { name: "Edit: partner" }).click();
	await page.getByLabel("Maps to").selectOption("Campaign");
	await save(page);
	await row(page, "partner").getByText("maps to campaign").waitFor();
	assert.equal((await mappings())[0]?.["maps_to"], "utm_campaign");
	await undo(page, "“partner” updated.", "/sites/shop/utm-mappings");
	await page.getByRole("button", { name: "Pause: partner" }).click();
	await row(page, "partner").getByText("Paused").waitFor();
	await page.getByRole("button", { name: "Delete: partner" }).click();
	await undo(page, "“partner” removed.", "/sites/shop/utm-mappings");
	await row(page, "partner").getByText("Paused").waitFor();
	assert.deepEqual(
		(await mappings()).map(({ custom_param, maps_to, is_active }) => [custom_param, maps_to, is_active]),
		[["partner", "utm_source", false]],
	);
	await leave();
});

test("payment pages and referrers are kept, changed and told at their field when they are there already", async () => {
	const { page, goto, api, context } = await service.read();
	await goto("/sites/shop/settings/sources?view=payments");
	for (const isSecond of [false, true]) {
		await page.getByRole("button", { name: "Add payment page" }).click();
		await page.getByLabel("Domain").fill("https://pay.example/checkout");
		await page.getByLabel("Source").fill("pay");
		await save(page);
		if (!isSecond) await page.getByText("pay.example added.").waitFor();
	}
	const field = page.getByLabel("Domain").and(page.locator(":focus"));
	await field.waitFor();
	assert.match((await field.getAttribute("aria-describedby")) ?? "", /error/);
	await page.getByText("This domain is already listed.").waitFor();
	await page.getByRole("button", { name: "Cancel" }).click();
	await page.getByRole("tab", { name: "3. Referrers" }).click();
	await page.getByRole("button", { name: "Add rule" }).click();
	await page.getByLabel("Condition").selectOption("contains");
	await page.getByLabel("Referrer domain").fill("forum");
	await page.getByLabel("Source").fill("Forum");
	await page.getByRole("button", { name: "Close" }).click();
	// The typed input is kept.
	await page.getByRole("button", { name: "Add rule" }).click();
	await save(page);
	await page.getByText("Rule “forum” added.").waitFor();
	await page.getByRole("button", { name: "Edit: forum" }).click();
	await page.getByLabel("Medium").fill("community");
	await page.getByLabel("Priority").fill("1001");
	await save(page);
	await page.getByLabel("Priority").fill("20");
	await save(page);
	await row(page, "Domain contains forum").getByText("Forum / community · priority 20").waitFor();
	const { mappings } = await api<{ mappings: readonly Row[] }>("/referrer-mappings?account_id=shop");
	assert.deepEqual(
		mappings.map(({ referrer_pattern, match_type, utm_source, utm_medium, priority }) => [
			...[referrer_pattern, match_type, utm_source, utm_medium, priority],
		]),
		[["forum", "contains", "Forum", "community", 20]],
	);
	const { referrers } = await api<{ referrers: readonly Row[] }>("/passthrough-referrers?account_id=shop");
	assert.deepEqual(
		referrers.map(({ domain, utm_source, utm_medium }) => [domain, utm_source, utm_medium]),
		[["pay.example", "pay", "passthrough"]],
	);
	await page.getByRole("button", { name: "Delete: forum" }).click();
	await page.getByText("No custom rules.").waitFor();
	await undo(page, "Rule “forum” removed.", "/referrer-mappings");
	await row(page, "Domain contains forum").waitFor();
	// A refused write is an error on the browser's console.
	await context.close();
});

test("one leaves oneself out of the figures with a click, and others with a label", async () => {
	const { page, goto, api, context } = await service.read();
	const entries = async () =>
		(await api<{ entries: readonly Row[] }>("/blocklist-ips?account_id=shop&include_inactive=true")).entries.map(
			({ ip_or_cidr, reason, is_active }) => [ip_or_cidr, reason, is_active],
		);
	const { ip } = await api<{ ip: string }>("/utils/my-ip");
	await goto("/sites/shop/settings/blocklist");
	await page.getByText(`Your current IP address is ${ip}. Your visits are counted.`).waitFor();
	await page.getByRole("button", { name: "Exclude me" }).click();
	await page.getByText("Excluded: your visits are not counted.").waitFor();
	assert.deepEqual(await entries(), [[ip, "Me (Ann)", true]]);
	await undo(page, `${ip} excluded.`, "/blocklist-ips");
	await page.getByText("No excluded addresses.").waitFor();
	await page.getByRole("button", { name: "Add address" }).click();
	await page.getByLabel("Address or range").fill("the office");
	await page.getByLabel("Label").fill("Office");
	await save(page);
	await page.getByText("Must be an address or a range such as 203.0.113.0/24").waitFor();
	await page.getByLabel("Address or range").fill("203.0.113.0/24");
	await save(page);
	await row(page, "203.0.113.0/24").getByText("Office").waitFor();
	assert.equal(await sendHit(service.app, { site: "shop", url: "https://shop.example/", ip: "203.0.113.9" }), 204);
	const { reasons } = await api<{ reasons: readonly Row[] }>("/sites/shop/pixel/rejections");
	assert.deepEqual(
		reasons.map(({ reason, count }) => [reason, count]),
		[["blocklist_ip", 1]],
	);
	await page.getByRole("button", { name: "Pause: 203.0.113.0/24" }).click();
	await row(page, "203.0.113.0/24").getByText("Paused").waitFor();
	await undo(page, "Exclusion of 203.0.113.0/24 paused.", "/blocklist-ips");
	assert.deepEqual(await entries(), [["203.0.113.0/24", "Office", true]]);
	// A refused write is an error on the browser's console.
	await context.close();
});

test("an admin leaves a site after being told what that means, and cannot come back alone", async () => {
	const { page, goto, api, leave } = await service.read({ as: "cleo@example.com", language: "es" });
	const cleo = (await api<{ id: number }>("/users/me")).id;
	const raised = await service.app.inject({
		method: "PATCH",
		url: `/api/v1/sites/shop/users/${cleo}`,
		headers: service.ann.headers,
		payload: { role: "admin" },
	});
	assert.equal(raised.statusCode, 200, raised.body);
	await goto("/sites/shop/settings/people");
	await page.getByRole("button", { name: "Salir", exact: true }).click();
	await page.getByText("Solo otra persona podrá darte acceso de nuevo.").waitFor();
	await page.getByRole("dialog").getByRole("button", { name: "Salir del sitio" }).click();
	await page.getByText("Has salido del sitio.").waitFor();
	await page.waitForURL("**/sites");
	assert.deepEqual((await api<{ sites: readonly Row[] }>("/sites")).sites, []);
	await leave();
});
