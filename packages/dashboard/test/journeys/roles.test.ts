import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { signIn } from "../../../server/test/support/accounts.ts";
import { giveSiteRole } from "../../../server/test/support/site-roles.ts";
import { writeRoles } from "../../src/api/api.generated.ts";
import { reaches } from "../../src/api/may.ts";
import { type Reader, settled, sharedDashboard } from "../support/open-dashboard.ts";

const service = sharedDashboard(undefined, async ({ app, send }) => {
	for (const role of ["viewer", "editor", "admin"] as const) {
		const { userId } = await signIn(app, { email: `${role}@example.com`, name: role });
		await giveSiteRole(app, "shop", userId, role);
	}
	await signIn(app, { email: "root@example.com", name: "Root", role: "superadmin" });
	for (const [path, payload] of things) await send(`POST ${path}`, payload);
});

/** Something of most kinds, so that the lists of settings have rows with buttons. */
const things: readonly (readonly [path: `/${string}`, payload: object])[] = [
	["/segments?account_id=shop", { name: "buyers", display_name: "Buyers", filters: { conditions: [] } }],
	["/channel-groups?account_id=shop", { channel_name: "Ours", source_pattern: "ours" }],
	["/passthrough-referrers?account_id=shop", { domain: "pay.example", utm_source: "pay" }],
	["/sites/shop/utm-mappings", { custom_param: "src", maps_to: "utm_source" }],
	["/blocklist-ips?account_id=shop", { ip_or_cidr: "192.0.2.9" }],
	["/alerts/rules?account_id=shop", { name: "Spike" }],
	["/mail-reports?account_id=shop", { frequency: "weekly", recipients: ["ann@example.com"] }],
	["/sites/shop/share-links", { name: "For the board" }],
	["/ip-allowlist/patterns?account_id=shop", { pattern: "192.0.2.1" }],
];

/** The addresses of all screens, as the routes name them. */
const pathsOf = (name: string): readonly string[] =>
	[
		...readFileSync(fileURLToPath(new URL(`../../src/routes/${name}-routes.ts`, import.meta.url)), "utf8").matchAll(
			/^\t\["(\/[^"$]*)"/gm,
		),
	].map(([, path = ""]) => path);
const settings = pathsOf("settings").map((path) => `/sites/shop/settings${path === "/" ? "" : path}`);
const ofSite = ["/sites/shop", ...pathsOf("site").map((path) => `/sites/shop${path}`)];
const outer = pathsOf("outer");
const administration = ["users", "organizations", "system", "jobs", "audit"].map((screen) => `/admin/${screen}`);

/** Required roles of writes, from the API's description; more exact paths first. */
const writes = Object.entries(writeRoles)
	.map(([route, least]) => ({
		least,
		pattern: new RegExp(`^${route.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
		exactness: route.replaceAll(/\{\w+\}/g, "").length,
	}))
	.toSorted((a, b) => b.exactness - a.exactness);

/** Requests that ask, though they are no GET. */
const asking = /\/(batch|preferences|refresh|stats\/|exports\/estimate|check|test|session$)/;

/**
 * Watches a reader. A write goes no further than here, so that what one press removes is there for the next: the test
 * answers that the service is away, and the role that it needs is looked up in what the API says of itself.
 */
async function watch({ page, context }: Reader, role: string) {
	// Copy buttons send no request.
	await context.grantPermissions(["clipboard-read", "clipboard-write"]);
	/** Answers that refuse, writes that one's role is not enough for, and faults of the scripts. */
	const watched: Record<"refused" | "beyond" | "faults", string[]> = { refused: [], beyond: [], faults: [] };
	page.on("pageerror", ({ message }) => watched.faults.push(message));
	page.on("response", (answer) => {
		const said = `${answer.request().method()} ${new URL(answer.url()).pathname}`;
		if ([401, 403].includes(answer.status())) watched.refused.push(said);
	});
	await page.route("**/api/v1/**", (route) => {
		const request = route.request();
		const path = new URL(request.url()).pathname.replace("/api/v1", "");
		if (request.method() === "GET" || asking.test(path)) return route.continue();
		const said = `${request.method()} ${path}`;
		const least = writes.find(({ pattern }) => pattern.test(said))?.least;
		if (least !== undefined && least !== "member" && !reaches(role, least)) watched.beyond.push(said);
		const json = { success: false, error: { code: "service_unavailable", message: "Held back by the test" } };
		return route.fulfill({ status: 503, json });
	});
	return watched;
}

/** Goes to a screen inside of the application, as its links do: loading the page anew for each would take most of the time. */
async function show({ page }: Reader, path: string): Promise<void> {
	await page.evaluate((to) => history.pushState({}, "", to), path);
	await page.waitForFunction((to) => location.pathname === to, path);
	await settled(page);
	assert.equal(await page.locator("main h1").count(), 1, path);
}

/** Presses the next button of a screen that was not pressed on it before; its name, or nothing when there is none left. */
const pressNext = ({ page }: Reader, screen: string, pressed: readonly string[]): Promise<string | undefined> =>
	page.evaluate(
		([at, known]) => {
			const nameOf = (button: HTMLElement) => `${at} ${button.getAttribute("aria-label") ?? button.textContent}`;
			// A row of figures does what the first one of its list does.
			const isAlike = (button: HTMLButtonElement) =>
				button.closest("ol > li + li")?.querySelector("button[aria-pressed]") instanceof Element;
			const isOffered = (button: HTMLButtonElement) =>
				!button.disabled &&
				button.checkVisibility() &&
				button.closest("dialog, [popover]") === null &&
				!isAlike(button);
			const next = [...document.querySelectorAll<HTMLButtonElement>("main button")].find(
				(button) => isOffered(button) && !known.includes(nameOf(button)),
			);
			next?.click();
			return next && nameOf(next);
		},
		[screen, pressed] as const,
	);

/** Presses every button of a screen once and closes the dialogs that open. Skips those in `pressed`. */
async function pressAll(reader: Reader, screen: string, pressed: string[]): Promise<void> {
	const { page } = reader;
	for (;;) {
		const name = await pressNext(reader, screen, pressed);
		if (name === undefined) return;
		pressed.push(name);
		await settled(page);
		await page.keyboard.press("Escape");
		if (new URL(page.url()).pathname !== screen) await show(reader, screen);
	}
}

/**
 * Buttons that were pressed with a lower role: a higher role has them all, so only its additional ones are pressed.
 */
const pressed: string[] = [];

/** Opens screens and presses what is on them; nothing may be refused, and nothing asked that the role may not. */
async function walk(
	reader: Reader,
	role: string,
	{ opened, used }: Readonly<Record<"opened" | "used", readonly string[]>>,
) {
	const watched = await watch(reader, role);
	await reader.goto("/sites/shop/settings");
	for (const screen of [...new Set([...opened, ...used])]) {
		await show(reader, screen);
		if (used.includes(screen)) await pressAll(reader, screen, pressed);
		assert.deepEqual({ screen, ...watched }, { screen, refused: [], beyond: [], faults: [] });
	}
	return watched;
}

/** Writes that are held back are errors on the console. */
const asNamed = (name: string) => ({ as: `${name}@example.com`, meetsErrors: true });
/** Screens on which only what the account may is offered; a site's role says nothing of them. */
const own = outer.filter((path) => path !== "/sites/new");

for (const role of ["viewer", "editor", "admin", "owner"] as const) {
	test(`the role ${role} opens every screen and presses all that is offered: nothing is refused, nothing is beyond it`, async (t) => {
		const reader = await service.read(t, role === "owner" ? { meetsErrors: true } : asNamed(role));
		const isFirst = role === "viewer";
		await walk(reader, role, {
			opened: isFirst ? ofSite : [],
			used: role === "owner" ? [...settings, ...own] : settings,
		});
		// The address of a form that one may not send opens none.
		for (const screen of isFirst ? ["people", "sources", "channels", "segments", "blocklist"] : []) {
			await reader.goto(`/sites/shop/settings/${screen}?panel=new`);
			assert.equal(await reader.page.getByRole("dialog").count(), 0, screen);
		}
	});
}

test("superadmins open and press all of the administration beside what owners may", async (t) => {
	const reader = await service.read(t, asNamed("root"));
	await walk(reader, "owner", { opened: settings, used: administration });
});

test("a superadmin who acts as a user meets no refusal: what is closed meanwhile is not offered", async (t) => {
	const reader = await service.read(t, asNamed("root"));
	const { context } = reader;
	const csrf = (await context.cookies()).find(({ name }) => name === "svc_csrf_token")?.value ?? "";
	const begun = await context.request.post(`${service.root}/api/v1/admin/impersonate-user`, {
		headers: { "X-CSRF-Token": csrf },
		data: { user_id: service.ann.userId, reason: "To see what Ann sees" },
	});
	assert.equal(begun.status(), 200, await begun.text());
	const { page } = reader;
	const writes: string[] = [];
	page.on("request", (request) => request.method() === "PATCH" && writes.push(request.url()));
	const told = Promise.withResolvers<void>();
	await page.route("**/auth/impersonation-status", async (route) => {
		await told.promise;
		await route.continue();
	});
	await page.goto(`${service.root}/sites`);
	// The page does not know yet who acts.
	const pin = page.getByRole("button", { name: "Pin Shop" });
	await pin.click();
	told.resolve();
	await pin.waitFor({ state: "detached" });
	await settled(page);
	assert.deepEqual(writes, []);
	await page.unrouteAll();
	// Impersonation alone closes some actions, so the presses of the owner do not count here.
	pressed.length = 0;
	await walk(reader, "owner", { opened: settings, used: ["/sites/shop/settings", ...own] });
	await reader.goto("/account/tokens");
	await page.getByText(/Only ann@example\.com can manage this account/).waitFor();
	assert.equal(await page.getByRole("main").getByRole("button").count(), 0);
});

test("the reader of a shared link presses all of the report without a refusal", async (t) => {
	const link = { name: "For readers", lists: ["sources", "pages", "countries"], may_filter: true };
	const { pathname } = new URL((await service.send<{ url: string }>("POST /sites/shop/share-links", link)).url);
	const reader = await service.read(t, { isStranger: true });
	const watched = await watch(reader, "nobody");
	await reader.goto(pathname);
	await pressAll(reader, pathname, []);
	assert.deepEqual(watched, { refused: [], beyond: [], faults: [] });
});
