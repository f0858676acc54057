import assert from "node:assert/strict";
import { after, before, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { createSite, signIn } from "../../../server/test/support/accounts.ts";
import { type Browser, launchBrowser, newVisitor, type Page } from "../../../server/test/support/browser.ts";
import { fillWithDemo } from "../../../server/test/support/demo-site.ts";
import { dataOf } from "../../../server/test/support/request-of.ts";
import { type TestApp, testApp } from "../../../server/test/support/test-app.ts";
import { password } from "../../../server/test/support/test-users.ts";
import type { Answer, Route } from "../../src/api/client.ts";

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
	/** A finger, not a mouse. */
	readonly hasTouch?: boolean;
	/** For tools that put scripts of their own into the page. */
	readonly bypassCSP?: boolean;
	/** The browser's clock runs as that of the machine. */
	readonly realClock?: boolean;
	/** Something is refused on the way, which browsers log as an error. */
	readonly meetsErrors?: boolean;
}

/** Somebody at the dashboard. */
export type Reader = Awaited<ReturnType<typeof readerOf>>;

/** The service with its dashboard, a seeded shop, and a browser. */
export type DashboardService = Awaited<ReturnType<typeof openDashboard>>;

/** Credentials of the user that owns the shop. */
export const ann = { email: "ann@example.com", password };

/** How the service is started, beyond its environment. */
type Start = Pick<NonNullable<Parameters<typeof testApp>[0]>, "dataDir" | "outbound" | "wrapEventStore">;

/** The service with the built dashboard. */
export const startService = (env: Readonly<Record<string, string>> = {}, start: Start = {}): Promise<TestApp> =>
	testApp({ now, dashboardDir: dist, env: { COOKIE_SECURE: "false", ...env }, ...start });

/** Opens the built dashboard on the whole service: site `shop` in Madrid with 60 days of visits unless `isEmpty`, site `empty` without. */
export async function openDashboard(
	env: Readonly<Record<string, string>> = {},
	{ isEmpty, ...start }: Start & { readonly isEmpty?: true } = {},
) {
	const [app, browser] = await Promise.all([startService(env, start), launchBrowser()]);
	const session = await signIn(app, { email: ann.email });
	await createSite(app, session, { timezone: "Europe/Madrid" });
	await createSite(app, session, { name: "Empty", domains: ["empty.example"] });
	if (isEmpty !== true) await fillWithDemo(app, { id: "shop", days: 60, rows: 20_000 });
	const root = await app.address();
	/** A reader, who leaves when told to. */
	const enter = (view: View = {}) => readerOf(browser, root, view);
	/** A reader, who leaves at the end of the test. */
	const read = async (t: TestContext, view: View = {}) => {
		const reader = await enter(view);
		t.after(reader.leave);
		return reader;
	};
	return {
		app,
		root,
		ann: session,
		browser,
		enter,
		read,
		/** The same, who has opened an address. */
		open: async (t: TestContext, path: string, view?: View) => {
			const reader = await read(t, view);
			await reader.goto(path);
			return reader;
		},
		/** Sends a request of Ann's, which has to succeed; answers the data. */
		send: <T>(route: `${"POST" | "PATCH" | "PUT"} /${string}`, body: object): Promise<T> =>
			dataOf(app, route, { headers: session.headers, body }),
		close: async () => {
			await browser.close();
			await app.close();
		},
	};
}

/** The same for the tests of a file: open while they run. `fill` prepares it, as further hooks of a file begin at the same time. */
export function sharedDashboard(
	open = () => openDashboard(),
	fill: (service: DashboardService) => Promise<void> = async () => undefined,
): DashboardService {
	const service = {} as DashboardService;
	before(async () => {
		Object.assign(service, await open());
		await fill(service);
	});
	after(() => service.close?.());
	return service;
}

async function readerOf(browser: Browser, root: string, view: View) {
	const { width = 1440, height = 900, scheme = "light", language = "en" } = view;
	const context = await newVisitor(browser, {
		viewport: { width, height },
		colorScheme: scheme,
		locale: language === "es" ? "es-ES" : "en-GB",
		hasTouch: view.hasTouch ?? false,
		// Drawn by the processor, movements take a quarter of the browser's work.
		reducedMotion: "reduce",
		bypassCSP: view.bypassCSP ?? false,
	});
	if (view.realClock !== true) await context.clock.setFixedTime(new Date(now));
	context.setDefaultTimeout(HANG_MS);
	if (view.isStranger !== true) {
		const data = { email: view.as ?? ann.email, password };
		const answer = await context.request.post(`${root}/api/v1/auth/token`, { data });
		assert.equal(answer.status(), 200, await answer.text());
	}
	const page = await context.newPage();
	const problems = problemsOf(page);
	/** The same as `goto`, but loads the page. */
	const load = async (path: string) => {
		await page.goto(root + path);
		await settled(page);
	};
	return {
		page,
		context,
		load,
		/**
		 * Opens an address, asks for all of its data, and waits until nothing is loading. From one screen to another it goes within
		 * the application, as links do: to load a page takes four times as long. The first address, the one that is open already, and
		 * shared links are loaded.
		 */
		goto: async (path: string) => {
			if (!(await goWithin(page, path))) return load(path);
			await settled(page);
		},
		/** The API's answer for this reader, to compare with; `to` is a query, or the path of a route with parameters. */
		api: async <R extends Route>(route: R, to = ""): Promise<Answer<R>> => {
			const path = to.startsWith("/") ? to : route.replace("GET ", "") + to;
			const answer = await context.request.get(`${root}/api/v1${path}`);
			assert.equal(answer.status(), 200, await answer.text());
			const body = await answer.json();
			return "meta" in body ? body.data : body;
		},
		/** Closes the window; fails when the page logged an error, broke its CSP, or asked for something that failed. */
		leave: async () => {
			await context.close();
			if (view.meetsErrors !== true) assert.deepEqual(problems, []);
		},
	};
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
