import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page, Route } from "../../../server/test/support/browser.ts";
import { signInAs } from "../support/acts.ts";
import { ann, type DashboardService, openDashboard, type Reader, settled } from "../support/open-dashboard.ts";

let service: DashboardService;
before(async () => {
	service = await openDashboard();
});
after(() => service?.close());

test("two tabs whose access has run out renew the session once, and both go on", async () => {
	const { page: one, context, goto } = await service.read({ realClock: true });
	await goto("/sites");
	const other = await context.newPage();
	await other.goto(`${service.root}/sites`);
	await settled(other);
	let renewals = 0;
	context.on("request", (request) => {
		if (request.url().endsWith("/api/v1/auth/refresh")) renewals += 1;
	});
	service.app.clock.advance(16 * 60_000);
	const tabs = [one, other];
	const kept = tabs.map((tab) => tab.waitForResponse((answer) => answer.request().method() === "PATCH" && answer.ok()));
	await Promise.all(tabs.map((tab) => tab.getByRole("button", { name: "Pin Shop" }).click()));
	await Promise.all(kept);
	await Promise.all(tabs.map((tab) => tab.getByRole("link", { name: "Shop" }).click()));
	await Promise.all(tabs.map((tab) => tab.getByRole("navigation", { name: "Screens" }).waitFor()));
	await Promise.all(tabs.map((tab) => settled(tab)));
	assert.equal(renewals, 1);
	assert.deepEqual(
		tabs.map((tab) => new URL(tab.url()).pathname),
		["/sites/shop", "/sites/shop"],
	);
	await context.close();
});

test("two tabs that watch a site share one stream; when its tab goes, the other takes over", async () => {
	const { page, context, goto } = await service.read();
	const streams: string[] = [];
	context.on("request", (request) => {
		if (request.url().includes("/stats/live/stream")) streams.push(request.url());
	});
	await goto("/sites/shop/live");
	await page.getByText("Live (updates within 2 s)", { exact: true }).first().waitFor();
	const other = await context.newPage();
	await other.goto(`${service.root}/sites/shop/live`);
	await settled(other);
	await other.getByText("Live (updates within 2 s)", { exact: true }).first().waitFor();
	assert.equal(streams.length, 1);
	const takenOver = context.waitForEvent("request", (request) => request.url().includes("/stats/live/stream"));
	await page.close();
	await takenOver;
	assert.equal(streams.length, 2);
	await context.close();
});

test("who signs out in one tab has signed out in all", async () => {
	const { page, context, goto } = await service.read();
	await goto("/sites");
	const other = await context.newPage();
	await other.goto(`${service.root}/sites`);
	await settled(other);
	await page.getByRole("button", { name: /^Account|^Cuenta/ }).click();
	await page.getByRole("button", { name: /Sign out|Cerrar sesión/ }).click();
	await Promise.all([page, other].map((tab) => tab.waitForURL("**/sign-in")));
	await context.close();
});

describe("without HTTPS, where browsers know no locks", () => {
	/** Signs in under a name that leads here, but that the browser does not take for this machine. */
	async function readPlain(path: string): Promise<Reader & { readonly plain: string }> {
		const reader = await service.read({ isStranger: true });
		const plain = `http://stats.test:${new URL(service.root).port}`;
		await reader.page.goto(plain + path);
		await signInAs(reader.page, ann.email);
		await reader.page.getByRole("navigation", { name: "Screens" }).waitFor();
		assert.equal(await reader.page.evaluate(() => isSecureContext), false);
		return { ...reader, plain };
	}
	const opensReport = async (page: Page) => {
		await page.getByRole("link", { name: "Report" }).click();
		await page
			.getByRole("button", { name: /^Visits/ })
			.first()
			.waitFor();
	};

	test("each tab has a stream of its own, and requests that fail together renew the session once", async () => {
		const { page, context } = await readPlain("/sites/shop/live");
		await page.getByText("Live (updates within 2 s)", { exact: true }).first().waitFor();
		service.app.clock.advance(16 * 60_000);
		let refused = 0;
		const second = page.waitForResponse((answer) => answer.status() === 401 && ++refused === 2);
		let renewals = 0;
		await context.route("**/api/v1/auth/refresh", async (route) => {
			renewals += 1;
			await second;
			await route.continue();
		});
		await opensReport(page);
		assert.equal(renewals, 1);
		await context.close();
	});

	test("two tabs that renew at the same moment both go on, though one of them is refused", async () => {
		const { page, context, plain } = await readPlain("/sites/shop/goals");
		const other = await context.newPage();
		await other.goto(`${plain}/sites/shop/goals`);
		await settled(other);
		service.app.clock.advance(16 * 60_000);
		const url = "/api/v1/auth/refresh";
		// A request that the browser sends later has the cookie of the earlier one: both are sent for it, with the same.
		const cookie = (await context.cookies(plain + url)).map(({ name, value }) => `${name}=${value}`).join("; ");
		const held: Route[] = [];
		const { promise: statuses, resolve: finish } = Promise.withResolvers<readonly number[]>();
		await context.route(`**${url}`, async (route) => {
			if (held.push(route) !== 2) return;
			const answered: number[] = [];
			for (const renewal of held) {
				const headers = { ...renewal.request().headers(), host: new URL(plain).host, cookie };
				const answer = await service.app.inject({ method: "POST", url, headers });
				answered.push(answer.statusCode);
				const cookies = [answer.headers["set-cookie"] ?? []].flat().join("\n");
				const { "content-type": contentType } = answer.headers;
				await renewal.fulfill({
					status: answer.statusCode,
					headers: { "content-type": String(contentType), ...(cookies !== "" && { "set-cookie": cookies }) },
					body: answer.body,
				});
			}
			finish(answered);
		});
		const tabs = [page, other];
		await Promise.all(tabs.map(opensReport));
		assert.deepEqual(await statuses, [200, 401]);
		await Promise.all(tabs.map(settled));
		for (const tab of tabs) assert.equal(new URL(tab.url()).pathname, "/sites/shop");
		await context.close();
	});
});
