import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { createSite, signIn } from "../support/accounts.ts";
import { apiCall } from "../support/accounts-app.ts";
import { enableTwoFactor } from "../support/authenticator.ts";
import { openBrowserSite } from "../support/browser-site.ts";
import { freePort } from "../support/free-port.ts";
import { listenLocally } from "../support/local-server.ts";
import { askForAccess } from "../support/oauth-flow.ts";
import { mailedLink } from "../support/page-client.ts";
import { plainPages } from "../support/page-faults.ts";
import { provision, provisionEnv } from "../support/provisioning.ts";
import { type TestApp, testApp } from "../support/test-app.ts";
import { password } from "../support/test-users.ts";

const login = { email: "ann@example.com", password };
const ALLOW = "button[value=approve]";
const DENY = "button[value=deny]";

/** The app that asks: where the browser arrives with the answer. */
let callback: string;
let closeClient: () => Promise<void>;
let app: TestApp;
/** `Origin`, `Referer` and `Sec-Fetch-Site` of each form that the browser sent. */
const told: (string | undefined)[][] = [];
// Plain HTTP is told of too.
const pages = plainPages(/status of 4\d\d|untrustworthy|origin-keyed agent cluster/);
const { heading, fill, send, assertUsable } = pages;

before(async () => {
	const client = await listenLocally(createServer((_request, response) => response.end("Back in the app")));
	callback = `http://127.0.0.1:${client.port}/callback`;
	closeClient = client.close;
	const port = await freePort();
	const { RATE_LIMIT_ENABLED: _, ...env } = { ...provisionEnv, PUBLIC_URL: `http://127.0.0.1:${port}` };
	app = await testApp({ env: { ...env, COOKIE_SECURE: "false", REGISTRATION: "open" } });
	app.app.server.on("request", ({ method, headers }) => {
		const { origin, referer, "sec-fetch-site": site } = headers;
		if (method === "POST") told.push([origin, referer, site?.toString()]);
	});
	await app.address(port);
	await createSite(app, await signIn(app), { name: "Shop" });
});
after(async () => {
	await app?.close();
	await closeClient?.();
});

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
	const person = { name: "New", email: "new@example.com", password: "passwordpassword" };
	await fill({ ...person, site_name: "Bakery", domain: "bakery.example" });
	await page.check("#accept_terms");
	await send();
	assert.equal(await page.title(), "Error: Create an account – Footfall");
	// A page gives its field the focus a moment after it has come.
	await page.waitForSelector("#password:focus");
	await assertUsable("sign-up with a fault");
	await page.fill("#password", password);
	await send();
	assert.equal(await heading(), "Allow access?");
	await assertUsable("question");
	await page.check("#site-bakery");
	await page.click(ALLOW);
	const answer = await arrival();
	assert.match(answer.get("code") ?? "", /^.{43,}$/);
	assert.deepEqual([answer.get("state"), answer.get("iss")], ["state of the app", root()]);
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
	assert.deepEqual([answer.get("error"), answer.get("code")], ["access_denied", null]);
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
	await page.keyboard.type(password);
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
	const server = createServer((_request, response) => response.writeHead(302, { location: callback }).end());
	const onwards = await listenLocally(server);
	context.after(() => onwards.close());
	const { page } = pages;
	await enter(`http://localhost:${onwards.port}/callback`);
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
	const evil = await openBrowserSite("evil.test", {
		"/": `<iframe src="${address}"></iframe>
<form method="post" action="${root()}/oauth/consent/decision">
<input name="request_id" value="${requestId}"><input name="form_token" value="${token}">
<input name="site_id" value="shop"><button name="decision" value="approve">You have won</button></form>`,
	});
	context.after(() => evil.close());
	await page.goto(`${evil.origin}/`);
	assert.equal(await page.frames()[1]?.locator("form").count(), 0);
	await page.click("text=You have won");
	assert.equal(await heading(), "That did not work");
	pages.complaints = [];
});

test("the question follows the colours that the reader prefers", async () => {
	const { page } = pages;
	const grounds: unknown[] = [];
	for (const colorScheme of ["light", "dark"] as const) {
		await page.emulateMedia({ colorScheme });
		await open();
		grounds.push(await page.evaluate("getComputedStyle(document.body).backgroundColor"));
	}
	assert.deepEqual(grounds, ["rgb(246, 247, 249)", "rgb(16, 20, 24)"]);
});

/** Opens the newest link to a page in the mails to an address from a mailbox on another site, as people do. */
async function openLink(address: string, path: string, host = "127.0.0.1"): Promise<void> {
	const { page } = pages;
	const link = root() + (await mailedLink(app, address, path));
	const mail = `<title>Mail</title><a href="${link.replace("127.0.0.1", host)}">The link</a>`;
	const webmail = await openBrowserSite("mail.test", { "/": mail });
	await page.goto(`${webmail.origin}/`);
	await page.click("a");
	await page.waitForURL((url) => url.pathname === path);
	await webmail.close();
}

for (const [email, host, site] of [
	["amy@example.com", "127.0.0.1", "same-origin"],
	["bea@example.com", "stats.test", undefined],
] as const) {
	test(`an address is confirmed from a mailbox elsewhere, and the link leaks nowhere (${host})`, async () => {
		const { page } = pages;
		told.length = 0;
		await apiCall(app)("POST /auth/register", { body: { email, name: "Amy", password, accept_terms: true } });
		await openLink(email, "/verify-email", host);
		assert.equal(await heading(), "Confirm your email address");
		await assertUsable("the form");
		await page.fill("#password", password);
		await send();
		assert.equal(await heading(), "The address is confirmed");
		await assertUsable("the end");
		assert.deepEqual(told, [["null", undefined, site]]);
		const cookies = (await pages.context.cookies()).map(({ name }) => name);
		assert.ok(cookies.includes("svc_access_token") && cookies.includes("svc_refresh_token"), cookies.join());
		await page.goBack();
		await page.reload();
		await assertUsable("a dead link");
		assert.equal(await heading(), "This link is no longer valid");
		await page.fill("#email", email);
		await send();
		assert.equal(await heading(), "Link requested");
	});
}

test("a forgotten password is replaced, after one that was too weak, by pages that everybody can use", async () => {
	const { page } = pages;
	await signIn(app, { email: "cid@example.com" });
	await page.goto(`${root()}/reset-password`);
	await assertUsable("the form that asks");
	await page.fill("#email", "cid@example.com");
	await send();
	await openLink("cid@example.com", "/reset-password");
	await page.fill("#new_password", "aaaaaaaaaaaaaaaa");
	await send();
	assert.equal(await page.title(), "Error: Choose a new password – Footfall");
	// A page gives its field the focus a moment after it has come.
	await page.waitForSelector("#new_password:focus");
	await assertUsable("a fault");
	await page.fill("#new_password", "another horse and other staples");
	await send();
	assert.equal(await heading(), "Password changed");
});

test("everybody can use the pages of an invitation and of a claim", async () => {
	const { page } = pages;
	const owner = await signIn(app, { email: "olga@example.com", name: "Olga" });
	const call = apiCall(app);
	await call("POST /organizations", { as: owner, body: { name: "Tea House" } });
	await signIn(app, { email: "eva@example.com" });
	for (const email of ["nia@example.com", "eva@example.com"]) {
		await call("POST /organizations/tea-house/invitations", { as: owner, body: { email } });
	}
	await openLink("nia@example.com", "/invitation");
	await assertUsable("the form for new members");
	await openLink("eva@example.com", "/invitation");
	await page.click("text=Sign in");
	await assertUsable("the form that signs in");
	await page.fill("#password", password);
	await send();
	await assertUsable("the button that accepts");
	await send();
	assert.equal(await heading(), "Welcome to Tea House");
	const { claim_url: claimUrl } = (await provision(app)).json().data;
	await page.goto(claimUrl);
	await assertUsable("the button that sends again");
	await send();
	await openLink("cleo@example.com", "/claim");
	await assertUsable("the form that claims");
	await page.fill("#password", password);
	await send();
	await page.click("text=Read how to use the API");
	assert.equal(await page.evaluate("document.referrer"), "");
});
