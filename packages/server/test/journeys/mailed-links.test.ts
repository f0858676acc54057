import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { signIn } from "../support/accounts.ts";
import { apiCall } from "../support/accounts-app.ts";
import { openBrowserSite } from "../support/browser-site.ts";
import { mailbox } from "../support/mailbox.ts";
import { plainPages } from "../support/page-faults.ts";
import { provision, provisionEnv } from "../support/provisioning.ts";
import { type TestApp, testApp } from "../support/test-app.ts";

const password = "correct horse battery staple 7";

let app: TestApp;
/** Headers that the browser sent with each form. */
let told: { origin: string | undefined; referer: string | undefined; site: string | undefined }[];
// Plain HTTP is told of too.
const pages = plainPages(/status of 4\d\d|untrustworthy|origin-keyed agent cluster/);
const { heading, send, assertUsable } = pages;

before(async () => {
	const { PUBLIC_URL: _, RATE_LIMIT_ENABLED: __, ...env } = provisionEnv;
	app = await testApp({ env: { ...env, COOKIE_SECURE: "false", REGISTRATION: "open" } });
	app.app.server.on("request", ({ method, headers }) => {
		const { origin, referer, "sec-fetch-site": site } = headers;
		if (method === "POST") told.push({ origin, referer, site: site === undefined ? undefined : String(site) });
	});
});
after(() => app?.close());
beforeEach(() => {
	told = [];
});

/** Opens the newest link to a page in the mails to an address from a mailbox on another site, as people do. */
async function openLink(address: string, path: string, host = "127.0.0.1"): Promise<void> {
	const { page } = pages;
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

for (const [email, host, site] of [
	["ann@example.com", "127.0.0.1", "same-origin"],
	["bea@example.com", "stats.test", undefined],
] as const) {
	test(`an address is confirmed from a mailbox elsewhere, and the link leaks nowhere (${host})`, async () => {
		const { page } = pages;
		await apiCall(app)("POST /auth/register", { body: { email, name: "Ann", password, accept_terms: true } });
		await openLink(email, "/verify-email", host);
		assert.equal(await heading(), "Confirm your email address");
		await assertUsable("the form");
		await page.fill("#password", password);
		await send();
		assert.equal(await heading(), "The address is confirmed");
		await assertUsable("the end");
		assert.deepEqual(told, [{ origin: "null", referer: undefined, site }]);
		const cookies = (await pages.context.cookies()).map(({ name }) => name);
		assert.ok(cookies.includes("svc_access_token") && cookies.includes("svc_refresh_token"), cookies.join());
		await page.goBack();
		await page.reload();
		await assertUsable("a dead link");
		assert.equal(await heading(), "This link is no longer valid");
		await page.fill("#email", email);
		await send();
		assert.equal(await heading(), "Check your email");
	});
}

test("a forgotten password is replaced, after one that was too weak, by pages that everybody can use", async () => {
	const { page } = pages;
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
	for (const email of ["new@example.com", "eva@example.com"]) {
		await call("POST /organizations/tea-house/invitations", { as: owner, body: { email } });
	}
	await openLink("new@example.com", "/invitation");
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
	await page.goto((await app.address()) + new URL(claimUrl).pathname + new URL(claimUrl).search);
	await assertUsable("the button that sends again");
	await send();
	await openLink("cleo@example.com", "/claim");
	await assertUsable("the form that claims");
	await page.fill("#password", password);
	await send();
	await page.click("text=Read how to use the API");
	assert.equal(await page.evaluate("document.referrer"), "");
});
