import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { cookieNames } from "../../../server/src/access/index.ts";
import { authOf } from "../../../server/src/composition/routes/auth-of.ts";
import { openSession } from "../../../server/src/features/people/auth/index.ts";
import { findUserByEmail } from "../../../server/src/features/people/users/index.ts";
import { createSite, type Session, signIn } from "../../../server/test/support/accounts.ts";
import {
	type Browser,
	type BrowserContext,
	launchBrowser,
	newVisitor,
	type Page,
	userAgent,
} from "../../../server/test/support/browser.ts";
import { fillWithDemo } from "../../../server/test/support/demo-site.ts";
import { type TestApp, testApp } from "../../../server/test/support/test-app.ts";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
/** Moment at which the service's clock stands, and the browser's. */
const now = "2026-11-21T12:00:00.000Z";
/** Marks a hang: no step takes this long on a slow machine. */
const HANG_MS = 60_000;

/** How somebody looks at the dashboard. */
export interface View {
	readonly width?: number;
	readonly height?: number;
	readonly scheme?: "light" | "dark";
	readonly language?: "en" | "es";
	/** Without a session. */
	readonly isStranger?: boolean;
	/** Address of the user whose session it is; ann's when absent. */
	readonly as?: string;
	/** Signs in over HTTP with it. Without it a session is opened in the service, which takes no hash. */
	readonly password?: string;
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
	/**
	 * Opens an address, asks for all of its data, and waits until nothing is loading. From one screen to another it goes within
	 * the application, as links do: to load a page takes four times as long. The first address, the one that is open already, and
	 * shared links are loaded.
	 */
	goto(path: string): Promise<void>;
	/** The same, but loads the page. */
	load(path: string): Promise<void>;
	/** The API's answer for this reader, to compare with. */
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
	/** Sends a request of Ann's, which has to succeed; answers the data. */
	send<T>(route: `${"POST" | "PATCH" | "PUT"} /${string}`, payload: object): Promise<T>;
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
		read: (view = {}) => readerOf({ app, browser, root }, view),
		send: async <T>(route: string, payload: object) => {
			const [method, path] = route.split(" ");
			const url = `/api/v1${path}`;
			const answer = await app.inject({ method: method as "POST", url, headers: session.headers, payload });
			assert.ok(answer.statusCode < 300, `${route}: ${answer.body}`);
			const body = answer.json();
			return ("meta" in body ? body.data : body) as T;
		},
		close: async () => {
			await browser.close();
			await app.close();
		},
	};
}

async function readerOf(service: Pick<DashboardService, "app" | "browser" | "root">, view: View): Promise<Reader> {
	const { browser, root } = service;
	const { width = 1440, height = 900, scheme = "light", language = "en" } = view;
	const context = await newVisitor(browser, {
		viewport: { width, height },
		colorScheme: scheme,
		locale: language === "es" ? "es-ES" : "en-GB",
		hasTouch: view.hasTouch ?? false,
		bypassCSP: view.bypassCSP ?? false,
	});
	if (view.realClock !== true) await context.clock.setFixedTime(new Date(now));
	context.setDefaultTimeout(HANG_MS);
	if (view.isStranger !== true) await enter(service, context, view);
	const page = await context.newPage();
	const problems = problemsOf(page);
	const load = async (path: string) => {
		await page.goto(root + path);
		await settled(page);
	};
	return {
		page,
		context,
		load,
		goto: async (path) => {
			if (!(await goWithin(page, path))) return load(path);
			await settled(page);
		},
		api: async <T>(path: string) => {
			const answer = await context.request.get(`${root}/api/v1${path}`);
			assert.equal(answer.status(), 200, await answer.text());
			const body = await answer.json();
			return ("meta" in body ? body.data : body) as T;
		},
		leave: async () => {
			await context.close();
			assert.deepEqual(problems, []);
		},
	};
}

/** Gives a browser the session of a user. */
async function enter({ app, root }: Pick<DashboardService, "app" | "root">, context: BrowserContext, view: View) {
	const { as: email = ann.email, password } = view;
	if (password !== undefined) {
		const answer = await context.request.post(`${root}/api/v1/auth/token`, { data: { email, password } });
		assert.equal(answer.status(), 200, await answer.text());
		return;
	}
	const user = await findUserByEmail(app.metadata, email);
	assert.ok(user, `There is no user ${email}`);
	const { secrets } = await openSession(authOf(app), user, { ip: "127.0.0.1", userAgent });
	const { hostname: domain } = new URL(root);
	await context.addCookies([
		{ name: cookieNames.access, value: secrets.accessToken, domain, path: "/", httpOnly: true, sameSite: "Lax" },
		{
			name: cookieNames.refresh,
			value: secrets.refreshToken,
			domain,
			path: "/api/v1/auth",
			httpOnly: true,
			sameSite: "Strict",
		},
		{ name: cookieNames.csrf, value: secrets.csrfToken, domain, path: "/", sameSite: "Lax" },
	]);
}

/** The part of the application that tests use: the router, which is a global of the page, has its queries. */
interface Application {
	readonly __TSR_ROUTER__?: {
		readonly history: { push(path: string): void };
		readonly options: { readonly context: { readonly queries: { clear(): void; isFetching(): number } } };
		subscribe(
			event: "onRendered",
			listen: (rendered: { readonly toLocation: { readonly pathname: string } }) => void,
		): () => void;
	};
}

/** Goes to another screen as links do, until it is drawn; false where no screen of the application is open, or this one is. */
const goWithin = (page: Page, path: string): Promise<boolean> =>
	page.evaluate(async (to) => {
		const router = (globalThis as Application).__TSR_ROUTER__;
		// The page of a shared link has its session from the moment at which it is loaded.
		if (router === undefined || /^\/(share|embed)\//.test(to) || new URL(to, location.href).href === location.href)
			return false;
		await new Promise<void>((resolve) => {
			const stop = router.subscribe("onRendered", ({ toLocation }) => {
				// Another one was on its way.
				if (decodeURI(toLocation.pathname) !== decodeURI(location.pathname)) return;
				stop();
				resolve();
			});
			router.options.context.queries.clear();
			router.history.push(to);
		});
		return true;
	}, path);

/** Waits until the screen is there and no part of it is loading. A stream may stay open, so the network is never idle. */
export async function settled(page: Page): Promise<void> {
	await page.locator("main").first().waitFor();
	await page.waitForFunction(() => document.querySelector("[data-loading]") === null);
}

/** Waits until the screen has asked for all of its data, also for what it shows no place of yet. */
export async function answered(page: Page): Promise<void> {
	await settled(page);
	await page.waitForFunction(
		() => (globalThis as Application).__TSR_ROUTER__?.options.context.queries.isFetching() === 0,
	);
}

/** Errors of a page as they happen. A violated CSP and a failed request are errors on the console. */
function problemsOf(page: Page): readonly string[] {
	const problems: string[] = [];
	page.on("console", (message) => {
		if (["error", "warning"].includes(message.type())) problems.push(`${message.text()} ${message.location().url}`);
	});
	page.on("pageerror", (error) => problems.push(error.message));
	return problems;
}
