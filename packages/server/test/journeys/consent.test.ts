import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { createSite, signIn } from "../support/accounts.ts";
import { apiCall } from "../support/accounts-app.ts";
import { askForAccess } from "../support/ask-for-access.ts";
import { enableTwoFactor } from "../support/authenticator.ts";
import { freePort } from "../support/free-port.ts";
import { plainPages } from "../support/page-faults.ts";
import { type TestApp, testApp } from "../support/test-app.ts";

const login = { email: "ann@example.com", password: "correct horse battery staple 7" };
const ALLOW = "button[value=approve]";
const DENY = "button[value=deny]";

/** The app that asks: where the browser arrives with the answer. */
let client: Server;
let callback: string;
let app: TestApp;
const pages = plainPages(/status of 4\d\d/);
const { heading, fill, send, assertUsable } = pages;

before(async () => {
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
	await app?.close();
	client?.closeAllConnections();
	client?.close();
});

async function listening(server: Server): Promise<number> {
	await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
	return (server.address() as AddressInfo).port;
}

const root = () => app.config.publicUrl ?? "";
const open = async (redirectUri = callback) =>
	pages.page.goto(root() + (await askForAccess(app, { redirectUri })).page);
/** Opens a request and signs in. */
async function enter(redirectUri?: string): Promise<void> {
	await open(redirectUri);
	await fill(login);
	await send();
}
/** Where the browser is once it is back in the app. */
async function arrival(): Promise<URLSearchParams> {
	const { page } = pages;
	await page.waitForURL((url) => url.href.startsWith(callback));
	return new URL(page.url()).searchParams;
}

test("somebody without an account signs up, allows the app to read the new site, and is back in it with a code", async () => {
	const { page } = pages;
	await open();
	await page.click("text=Create one");
	assert.equal(await heading(), "Create an account");
	await assertUsable("sign-up");
	await fill({ name: "New", email: "new@example.com", password: "passwordpassword", site_name: "Bakery" });
	await fill({ domain: "bakery.example" });
	await page.check("#accept_terms");
	await send();
	assert.equal(await page.title(), "Error: Create an account – Footfall");
	// A page gives its field the focus a moment after it has come.
	await page.waitForSelector("#password:focus");
	await assertUsable("sign-up with a fault");
	await page.fill("#password", login.password);
	await send();
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
	const { page } = pages;
	const email = "bob@example.com";
	const authenticator = await enableTwoFactor({ call: apiCall(app), clock: app.clock }, await signIn(app, { email }));
	await open();
	assert.equal(await heading(), "Sign in");
	await assertUsable("sign-in");
	await fill({ email, password: "wrong" });
	await send();
	assert.equal(await page.textContent("[role=alert]"), "Email or password is wrong.");
	assert.equal(await page.inputValue("#email"), email);
	assert.equal(await page.inputValue("#password"), "");
	await assertUsable("sign-in with an error");
	await fill({ ...login, email });
	await send();
	assert.equal(await heading(), "Enter your code");
	await assertUsable("second step");
	await page.fill("#code", authenticator.code());
	await send();
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
	const { page } = pages;
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
	assert.equal(await page.evaluate("getComputedStyle(document.activeElement).outline.includes('solid 2px')"), true);
	await page.keyboard.press("Enter");
	assert.ok((await arrival()).has("code"));
});

test("one click on the button gives nothing away: the browser asks for a site first; then an app may lead onwards", async (context) => {
	const onwards = createServer((_request, response) => {
		response.writeHead(302, { location: callback }).end();
	});
	context.after(() => onwards.close());
	const { page } = pages;
	await enter(`http://localhost:${await listening(onwards)}/callback`);
	await page.click(ALLOW);
	assert.equal(await heading(), "Allow access?");
	assert.ok(await page.isVisible("#site-shop:invalid"));
	await page.check("#site-shop");
	await page.click(ALLOW);
	await arrival();
});

test("another site can neither frame the question nor send its form", async (context) => {
	const { page } = pages;
	await enter();
	const address = page.url();
	const hidden = (name: string) => page.inputValue(`[name=${name}] >> nth=0`);
	const [requestId, token] = [await hidden("request_id"), await hidden("form_token")];
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
	pages.complaints = [];
});

test("it follows the colours that the reader prefers", async () => {
	const { page } = pages;
	const grounds: unknown[] = [];
	for (const colorScheme of ["light", "dark"] as const) {
		await page.emulateMedia({ colorScheme });
		await open();
		grounds.push(await page.evaluate("getComputedStyle(document.body).backgroundColor"));
	}
	assert.deepEqual(grounds, ["rgb(246, 247, 249)", "rgb(16, 20, 24)"]);
});
