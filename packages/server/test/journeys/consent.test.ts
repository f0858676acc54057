import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { createSite, signIn } from "../support/accounts.ts";
import { apiCall } from "../support/accounts-app.ts";
import { askForAccess } from "../support/ask-for-access.ts";
import { enableTwoFactor } from "../support/authenticator.ts";
import { type Browser, type BrowserContext, launchBrowser, newVisitor, type Page } from "../support/browser.ts";
import { freePort } from "../support/free-port.ts";
import { pageFaults } from "../support/page-faults.ts";
import { type TestApp, testApp } from "../support/test-app.ts";

const login = { email: "ann@example.com", password: "correct horse battery staple 7" };
const ALLOW = "button[value=approve]";
const DENY = "button[value=deny]";
const NARROW = { width: 320, height: 640 };
const WIDE = { width: 1280, height: 800 };

let browser: Browser;
/** The app that asks: where the browser arrives with the answer. */
let client: Server;
let callback: string;
let app: TestApp;
let context: BrowserContext;
let page: Page;
let complaints: string[];

before(async () => {
	browser = await launchBrowser();
	client = createServer((_request, response) => response.end("Back in the app"));
	callback = `http://127.0.0.1:${await listening(client)}/callback`;
	const port = await freePort();
	app = await testApp({
		env: { PUBLIC_URL: `http://127.0.0.1:${port}`, COOKIE_SECURE: "false", REGISTRATION: "open" },
	});
	await app.address(port);
	await createSite(app, await signIn(app), { name: "Shop" });
});
after(async () => {
	await browser?.close();
	await app?.close();
	client?.closeAllConnections();
	client?.close();
});

beforeEach(async () => {
	context = await newVisitor(browser, { javaScriptEnabled: false, viewport: NARROW });
	page = await context.newPage();
	complaints = [];
	page.on("console", (message) => complaints.push(message.text()));
});
afterEach(async () => {
	await context?.close();
	// Browsers tell here what the policy of a page made them leave out.
	assert.deepEqual(
		complaints.filter((text) => !/status of (4\d\d)/.test(text)),
		[],
	);
});

async function listening(server: Server): Promise<number> {
	await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
	return (server.address() as AddressInfo).port;
}

const root = () => app.config.publicUrl ?? "";
const open = async () => page.goto(root() + (await askForAccess(app, { redirectUri: callback })).page);
const heading = () => page.textContent("h1");

async function fill(fields: Readonly<Record<string, string>>): Promise<void> {
	for (const [name, value] of Object.entries(fields)) await page.fill(`#${name}`, value);
}

/** Where the browser is once it is back in the app. */
async function arrival(): Promise<URLSearchParams> {
	await page.waitForURL((url) => url.href.startsWith(callback));
	return new URL(page.url()).searchParams;
}

/** The page can be used by everybody, on a telephone, on a desk, and with letters of twice the size. */
async function assertUsable(what: string): Promise<void> {
	assert.deepEqual(await pageFaults(page), [], `${what}, narrow`);
	await page.setViewportSize(WIDE);
	assert.deepEqual(await pageFaults(page), [], `${what}, wide`);
	await page.setViewportSize({ width: 640, height: 400 });
	await page.evaluate("document.documentElement.style.fontSize = '210%'");
	assert.deepEqual(await pageFaults(page), [], `${what}, large letters`);
	await page.evaluate("document.documentElement.style.fontSize = ''");
	await page.setViewportSize(NARROW);
}

test("somebody without an account signs up, allows the app to read the new site, and is back in it with a code", async () => {
	await open();
	await page.click("text=Create one");
	assert.equal(await heading(), "Create an account");
	await assertUsable("sign-up");
	await fill({ name: "New", email: "new@example.com", password: "passwordpassword", site_name: "Bakery" });
	await fill({ domain: "bakery.example" });
	await page.check("#accept_terms");
	await page.click("button.main");
	assert.equal(await page.title(), "Error: Create an account – Footfall");
	// A page gives its field the focus a moment after it has come.
	await page.waitForSelector("#password:focus");
	await assertUsable("sign-up with a fault");
	await page.fill("#password", login.password);
	await page.click("button.main");
	assert.equal(await heading(), "Allow access?");
	await assertUsable("question");
	await page.check("#site-bakery");
	await page.click(ALLOW);
	const answer = await arrival();
	assert.match(answer.get("code") ?? "", /^.{43,}$/);
	assert.equal(answer.get("state"), "state of the app");
	assert.equal(answer.get("iss"), root());
});

test("with a second factor the code comes after the password; then the app is denied", async () => {
	const email = "bob@example.com";
	const authenticator = await enableTwoFactor({ call: apiCall(app), clock: app.clock }, await signIn(app, { email }));
	await open();
	assert.equal(await heading(), "Sign in");
	await assertUsable("sign-in");
	await fill({ email, password: "wrong" });
	await page.click("button.main");
	assert.equal(await page.textContent("[role=alert]"), "E-mail or password is wrong.");
	assert.equal(await page.inputValue("#email"), email);
	assert.equal(await page.inputValue("#password"), "");
	await assertUsable("sign-in with an error");
	await fill({ ...login, email });
	await page.click("button.main");
	assert.equal(await heading(), "Enter your code");
	await assertUsable("second step");
	await page.fill("#code", authenticator.code());
	await page.click("button.main");
	assert.equal(await heading(), "Allow access?");
	await page.click(DENY);
	const answer = await arrival();
	assert.equal(answer.get("error"), "access_denied");
	assert.equal(answer.get("code"), null);
	await page.goBack();
	await page.reload();
	assert.equal(await heading(), "This request has ended");
	await assertUsable("end of a request");
});

test("the keyboard is enough, in the order of the page, and nothing is allowed by pressing Enter at once", async () => {
	await open();
	const focused = () => page.evaluate("document.activeElement.id || document.activeElement.textContent");
	const tab = async (expected: string) => {
		await page.keyboard.press("Tab");
		assert.equal(await focused(), expected);
	};
	await tab("email");
	await page.keyboard.type(login.email);
	await tab("password");
	await page.keyboard.type(login.password);
	await page.keyboard.press("Enter");
	await page.waitForSelector("h1:text('Allow access?')");
	await page.keyboard.press("Enter");
	assert.equal(await heading(), "Allow access?");
	await tab("site-shop");
	await page.keyboard.press("Space");
	await tab("Allow");
	await tab("Deny");
	await tab("Use another account");
	await page.keyboard.press("Shift+Tab");
	await page.keyboard.press("Shift+Tab");
	const { outlineStyle, outlineWidth } = (await page.evaluate(
		"({ ...getComputedStyle(document.activeElement) })",
	)) as Record<string, string>;
	assert.deepEqual([outlineStyle, outlineWidth], ["solid", "2px"]);
	await page.keyboard.press("Enter");
	assert.ok((await arrival()).has("code"));
});

test("one click on the button gives nothing away: the browser asks for a site first", async () => {
	await open();
	await fill(login);
	await page.click("button.main");
	await page.click(ALLOW);
	assert.equal(await heading(), "Allow access?");
	assert.ok(await page.isVisible("#site-shop:invalid"));
});

test("an app may lead the browser onwards to yet another address", async (context) => {
	const onwards = createServer((_request, response) => {
		response.writeHead(302, { location: callback }).end();
	});
	context.after(() => onwards.close());
	const redirectUri = `http://localhost:${await listening(onwards)}/callback`;
	await page.goto(root() + (await askForAccess(app, { redirectUri })).page);
	await fill(login);
	await page.click("button.main");
	await page.check("#site-shop");
	await page.click(ALLOW);
	await arrival();
});

test("another site can neither frame the question nor send its form", async (context) => {
	await open();
	await fill(login);
	await page.click("button.main");
	const address = page.url();
	const [requestId, token] = [
		await page.inputValue("[name=request_id] >> nth=0"),
		await page.inputValue("[name=form_token] >> nth=0"),
	];
	const evil = createServer((_request, response) => {
		response.setHeader("content-type", "text/html");
		response.end(`<iframe src="${address}"></iframe>
<form method="post" action="${root()}/oauth/consent/decision">
<input name="request_id" value="${requestId}"><input name="form_token" value="${token}">
<input name="site_id" value="shop"><button name="decision" value="approve">You have won</button></form>`);
	});
	context.after(() => evil.close());
	const port = await listening(evil);
	await page.goto(`http://evil.test:${port}/`);
	assert.equal(await page.frames()[1]?.locator("form").count(), 0);
	await page.click("text=You have won");
	assert.equal(await heading(), "That did not work");
	complaints = [];
});

test("it follows the colours that the reader prefers", async () => {
	const grounds: unknown[] = [];
	for (const colorScheme of ["light", "dark"] as const) {
		await page.emulateMedia({ colorScheme });
		await open();
		grounds.push(await page.evaluate("getComputedStyle(document.body).backgroundColor"));
	}
	assert.deepEqual(grounds, ["rgb(246, 247, 249)", "rgb(16, 20, 24)"]);
});
