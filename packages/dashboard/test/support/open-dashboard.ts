import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { createSite, type Session, signIn } from "../../../server/test/support/accounts.ts";
import {
	type Browser,
	type BrowserContext,
	launchBrowser,
	newVisitor,
	type Page,
} from "../../../server/test/support/browser.ts";
import { fillWithDemo } from "../../../server/test/support/demo-site.ts";
import { type TestApp, testApp } from "../../../server/test/support/test-app.ts";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
/** Moment at which the service's clock stands, and the browser's. */
const now = "2026-11-21T12:00:00.000Z";

/** How somebody looks at the dashboard. */
interface View {
	readonly width?: number;
	readonly height?: number;
	readonly scheme?: "light" | "dark";
	readonly language?: "en" | "es";
	/** Nobody is signed in. */
	readonly isStranger?: boolean;
	/** Whose session it is; ann's when absent. */
	readonly as?: { readonly email: string; readonly password: string };
	/** A finger, not a mouse. */
	readonly hasTouch?: boolean;
	/** For tools that put scripts of their own into the page. */
	readonly bypassCSP?: boolean;
	/** The browser's clock runs as that of the machine. */
	readonly realClock?: boolean;
}

/** Somebody at the dashboard. */
export interface Reader {
	readonly page: Page;
	readonly context: BrowserContext;
	/** Opens an address and waits until nothing is loading. */
	goto(path: string): Promise<void>;
	/** What the API answers this reader, for comparing. */
	api<T>(path: string): Promise<T>;
	/** Closes the window; fails when the page logged an error, broke its CSP, or asked for something that failed. */
	leave(): Promise<void>;
}

/** The service with its dashboard, a seeded shop, and a browser. */
export interface DashboardService {
	readonly app: TestApp;
	readonly root: string;
	readonly ann: Session;
	readonly browser: Browser;
	read(view?: View): Promise<Reader>;
	close(): Promise<void>;
}

/** Credentials of the user that owns the shop. */
export const ann = { email: "ann@example.com", password: "correct horse battery staple 7" };

/** How the service is started, beyond its environment. */
type Start = Pick<NonNullable<Parameters<typeof testApp>[0]>, "dataDir" | "outbound" | "wrapEventStore">;

/** The service with the built dashboard. */
export const startService = (env: Readonly<Record<string, string>> = {}, start: Start = {}): Promise<TestApp> =>
	testApp({ now, dashboardDir: dist, env: { COOKIE_SECURE: "false", ...env }, ...start });

/** Opens the built dashboard on the whole service: site `shop` in Madrid with 60 days of visits, site `empty` without. */
export async function openDashboard(
	env: Readonly<Record<string, string>> = {},
	start: Start = {},
): Promise<DashboardService> {
	const [app, browser] = await Promise.all([startService(env, start), launchBrowser()]);
	const session = await signIn(app, { email: ann.email });
	await createSite(app, session, { timezone: "Europe/Madrid" });
	await createSite(app, session, { name: "Empty", domains: ["empty.example"] });
	await fillWithDemo(app, { id: "shop", days: 60, rows: 20_000 });
	const root = await app.address();
	return {
		app,
		root,
		ann: session,
		browser,
		read: (view = {}) => readerOf(browser, root, view),
		close: async () => {
			await browser.close();
			await app.close();
		},
	};
}

async function readerOf(browser: Browser, root: string, view: View): Promise<Reader> {
	const { width = 1440, height = 900, scheme = "light", language = "en" } = view;
	const context = await newVisitor(browser, {
		viewport: { width, height },
		colorScheme: scheme,
		locale: language === "es" ? "es-ES" : "en-GB",
		hasTouch: view.hasTouch ?? false,
		bypassCSP: view.bypassCSP ?? false,
	});
	if (view.realClock !== true) await context.clock.setFixedTime(new Date(now));
	if (view.isStranger !== true) {
		const answer = await context.request.post(`${root}/api/v1/auth/token`, { data: view.as ?? ann });
		assert.equal(answer.status(), 200, await answer.text());
	}
	const page = await context.newPage();
	const problems = problemsOf(page);
	return {
		page,
		context,
		goto: async (path) => {
			await page.goto(root + path);
			await settled(page);
		},
		api: async <T>(path: string) => {
			const answer = await context.request.get(`${root}/api/v1${path}`);
			assert.equal(answer.status(), 200, await answer.text());
			const body = await answer.json();
			return ("success" in body ? body.data : body) as T;
		},
		leave: async () => {
			await context.close();
			assert.deepEqual(problems, []);
		},
	};
}

/** Waits until the screen is there and no part of it is loading. A stream may stay open, so the network is never idle. */
export async function settled(page: Page): Promise<void> {
	await page.locator("main").first().waitFor();
	await page.waitForFunction(() => document.querySelector("[data-loading]") === null);
}

/** What went wrong in a page, as it happens. A violated CSP and a failed request are errors on the console. */
function problemsOf(page: Page): readonly string[] {
	const problems: string[] = [];
	page.on("console", (message) => {
		if (["error", "warning"].includes(message.type())) problems.push(message.text());
	});
	page.on("pageerror", (error) => problems.push(error.message));
	return problems;
}
