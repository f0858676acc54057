import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { createSite, signIn } from "../support/accounts.ts";
import { apiCall } from "../support/accounts-app.ts";
import { type Browser, type BrowserContext, launchBrowser, newVisitor, type Page } from "../support/browser.ts";
import { openBrowserSite } from "../support/browser-site.ts";
import { mailbox } from "../support/mailbox.ts";
import { pageFaults } from "../support/page-faults.ts";
import { provision, provisionEnv } from "../support/provisioning.ts";
import { type TestApp, testApp } from "../support/test-app.ts";

const password = "correct horse battery staple 7";
const NARROW = { width: 320, height: 640 };
const WIDE = { width: 1280, height: 800 };

let browser: Browser;
let app: TestApp;
let context: BrowserContext;
let page: Page;
/** Headers that the browser sent with each form. */
let told: { origin: string | undefined; referer: string | undefined; site: string | undefined }[];
let complaints: string[];

before(async () => {
	browser = await launchBrowser();
	const { PUBLIC_URL: _, RATE_LIMIT_ENABLED: __, ...env } = provisionEnv;
	app = await testApp({ env: { ...env, COOKIE_SECURE: "false", REGISTRATION: "open" } });
	app.app.server.on("request", ({ method, headers }) => {
		const { origin, referer, "sec-fetch-site": site } = headers;
		if (method === "POST") told.push({ origin, referer, site: site === undefined ? undefined : String(site) });
	});
});
after(async () => {
	await browser?.close();
	await app?.close();
});

beforeEach(async () => {
	context = await newVisitor(browser, { javaScriptEnabled: false, viewport: NARROW });
	page = await context.newPage();
	[told, complaints] = [[], []];
	page.on("console", (message) => complaints.push(message.text()));
});
afterEach(async () => {
	await context?.close();
	// Browsers tell here what the policy of a page made them leave out; plain HTTP is told of too.
	assert.deepEqual(
		complaints.filter((text) => !/status of 4\d\d|untrustworthy|origin-keyed agent cluster/.test(text)),
		[],
	);
});

const heading = () => page.textContent("h1");
const send = () => page.click("button.main");

/** Opens the newest link to a page in the mails to an address from a mailbox on another site, as people do. */
async function openLink(address: string, path: string, host = "127.0.0.1"): Promise<void> {
	const links = (await mailbox(app).to(address)).flatMap((mail) => mail.links);
	const link = new URL(links.findLast((candidate) => new URL(candidate).pathname === path) ?? "https://no.link");
	const { port } = new URL(await app.address());
	const webmail = await openBrowserSite("mail.test", {
		"/": `<title>Mail</title><a href="http://${host}:${port}${link.pathname}${link.search}">The link</a>`,
	});
	await page.goto(`${webmail.origin}/`);
	await page.click("a");
	await page.waitForURL((url) => url.pathname === path);
	await webmail.close();
}

/** The page can be used by everybody, on a telephone, on a desk, and with letters of twice the size. */
async function assertUsable(what: string): Promise<void> {
	assert.deepEqual(await pageFaults(page), [], `${what}, narrow`);
	await page.setViewportSize(WIDE);
	assert.deepEqual(await pageFaults(page), [], `${what}, wide`);
	await page.setViewportSize(NARROW);
	await page.evaluate("document.documentElement.style.fontSize = '210%'");
	assert.deepEqual(await pageFaults(page), [], `${what}, large letters`);
	await page.evaluate("document.documentElement.style.fontSize = ''");
}

const register = (email: string) =>
	apiCall(app)("POST /auth/register", { body: { email, name: "Ann", password, accept_terms: true } });

for (const [email, host, site] of [
	["ann@example.com", "127.0.0.1", "same-origin"],
	["bea@example.com", "stats.test", undefined],
] as const) {
	test(`an address is confirmed from a mailbox elsewhere, and the link leaks nowhere (${host})`, async () => {
		await register(email);
		await openLink(email, "/verify-email", host);
		assert.equal(await heading(), "Confirm your e-mail address");
		await assertUsable("the form");
		await page.fill("#password", password);
		await send();
		assert.equal(await heading(), "The address is confirmed");
		await assertUsable("the end");
		assert.deepEqual(told, [{ origin: "null", referer: undefined, site }]);
		const cookies = (await context.cookies()).map(({ name }) => name);
		assert.ok(cookies.includes("svc_access_token") && cookies.includes("svc_refresh_token"), cookies.join());
		await page.goBack();
		await page.reload();
		await assertUsable("a dead link");
		assert.equal(await heading(), "This link is no longer valid");
		await page.fill("#email", email);
		await send();
		assert.equal(await heading(), "Look into your mail");
	});
}

test("a forgotten password is replaced, after one that was too weak", async () => {
	await signIn(app, { email: "cid@example.com" });
	await page.goto(`${await app.address()}/reset-password`);
	await assertUsable("the form that asks");
	await page.fill("#email", "cid@example.com");
	await send();
	await openLink("cid@example.com", "/reset-password");
	await page.fill("#new_password", "aaaaaaaaaaaaaaaa");
	await send();
	assert.equal(await page.title(), "Error: Choose a new password – Footfall");
	// A page gives its field the focus a moment after it has come.
	await page.waitForSelector("#new_password:focus");
	assert.equal(await page.inputValue("#new_password"), "");
	await assertUsable("a fault");
	await page.fill("#new_password", "another horse and other staples");
	await send();
	assert.equal(await heading(), "The password was changed");
});

test("who is invited makes an account; who has one signs in and accepts", async () => {
	const owner = await signIn(app, { email: "olga@example.com", name: "Olga" });
	const call = apiCall(app);
	await call("POST /organizations", { as: owner, body: { name: "Tea House" } });
	await createSite(app, owner, { name: "Shop" });
	await signIn(app, { email: "eva@example.com" });
	for (const email of ["new@example.com", "eva@example.com"]) {
		await call("POST /organizations/tea-house/invitations", { as: owner, body: { email } });
	}
	await openLink("new@example.com", "/invitation");
	await assertUsable("the form for new members");
	await page.fill("#name", "New");
	await page.fill("#password", password);
	await send();
	assert.equal(await heading(), "Welcome to Tea House");
	await openLink("eva@example.com", "/invitation");
	assert.match((await page.textContent("main")) ?? "", /You are signed in as new@example\.com, but/);
	await page.click("text=Sign in");
	await assertUsable("the form that signs in");
	await page.fill("#password", password);
	await send();
	assert.equal(await heading(), "You are invited");
	await assertUsable("the button that accepts");
	await send();
	assert.equal(await heading(), "Welcome to Tea House");
	const { members } = (await call("GET /organizations/tea-house/members", { as: owner })).json().data;
	assert.equal(members.length, 3);
});

test("a site that was set up for somebody has its mail sent again, and is claimed", async () => {
	const { claim_url: claimUrl } = (await provision(app)).json().data;
	await page.goto((await app.address()) + new URL(claimUrl).pathname + new URL(claimUrl).search);
	await assertUsable("the button that sends again");
	await send();
	assert.equal(await heading(), "Look into your mail");
	await openLink("cleo@example.com", "/claim");
	await assertUsable("the form that claims");
	await page.fill("#password", password);
	await send();
	assert.equal(await heading(), "The site is yours");
	await page.click("text=Read how to use the API");
	assert.equal(new URL(page.url()).pathname.replace(/\/$/, ""), "/docs");
	assert.equal(await page.evaluate("document.referrer"), "");
});
