import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { signIn } from "../../../server/test/support/accounts.ts";
import { giveSiteRole } from "../../../server/test/support/site-roles.ts";
import { password } from "../../../server/test/support/test-users.ts";
import { type DashboardService, openDashboard, type Reader, settled } from "../support/open-dashboard.ts";

let service: DashboardService;
before(async () => {
	service = await openDashboard();
	for (const role of roles) {
		const { userId } = await signIn(service.app, { email: `${role}@example.com`, name: role });
		await giveSiteRole(service.app, "shop", userId, role);
	}
});
after(() => service?.close());

const roles = ["viewer", "editor", "admin"] as const;

/** The addresses of all screens of a site, as the routes name them. */
const screens = [
	["settings", "/settings"],
	["site", ""],
].flatMap(([name, below]) =>
	[
		...readFileSync(fileURLToPath(new URL(`../../src/routes/${name}-routes.ts`, import.meta.url)), "utf8").matchAll(
			/^\t\["(\/[^"$]*)"/gm,
		),
	].map(([, path]) => `/sites/shop${below}${path}`),
);

/** Answers that refuse what was asked, for want of a role. */
function refusalsOf({ page }: Reader): readonly string[] {
	const refused: string[] = [];
	page.on("response", (answer) => {
		if (answer.status() === 403) refused.push(`${answer.request().method()} ${new URL(answer.url()).pathname}`);
	});
	return refused;
}

for (const role of roles) {
	test(`every screen of a site opens for a role of ${role}, and asks nothing that is refused`, async () => {
		const reader = await service.read({ as: { email: `${role}@example.com`, password } });
		const refused = refusalsOf(reader);
		for (const screen of screens) {
			await reader.goto(screen);
			assert.equal(await reader.page.locator("main h1").count(), 1, screen);
			assert.deepEqual(refused, [], screen);
		}
		await reader.leave();
	});
}

test("a viewer may press whatever is offered: nothing of it is refused, and nothing changes", async () => {
	const reader = await service.read({ as: { email: "viewer@example.com", password } });
	const { page } = reader;
	const refused = refusalsOf(reader);
	const writes: string[] = [];
	page.on("request", (request) => {
		const path = new URL(request.url()).pathname;
		// Whoever sees a site may take its figures along, in files of their own.
		const reads = /\/(batch|preferences|refresh|stats\/|exports|check|test)/.test(path);
		if (request.method() !== "GET" && !reads) writes.push(`${request.method()} ${path}`);
	});
	for (const screen of screens.filter((path) => path.includes("/settings"))) {
		await reader.goto(screen);
		const buttons = page.locator("main").getByRole("button", { disabled: false });
		for (let at = 0; at < (await buttons.count()); at++) {
			await buttons.nth(at).click({ timeout: 2_000 });
			await settled(page);
			await reader.goto(screen);
		}
		assert.deepEqual([screen, refused, writes], [screen, [], []]);
	}
	await reader.leave();
});
