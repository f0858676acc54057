import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { signIn } from "../../../../test/support/accounts.ts";
import { apiCall } from "../../../../test/support/accounts-app.ts";
import { askForAccess } from "../../../../test/support/ask-for-access.ts";
import { type Authenticator, enableTwoFactor, wrongCode } from "../../../../test/support/authenticator.ts";
import { hiddenFields, type PageClient, pageClient } from "../../../../test/support/page-client.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

const CODE = "/oauth/consent/code";

let app: TestApp;
let page: string;
let browser: PageClient;
let authenticator: Authenticator;
let login: { readonly email: string; readonly password: string };
let users = 0;

before(async () => {
	app = await testApp();
});
after(() => app.close());
beforeEach(async () => {
	login = { email: `ann${++users}@example.com`, password: "correct horse battery staple 7" };
	authenticator = await enableTwoFactor({ call: apiCall(app), clock: app.clock }, await signIn(app, login));
	({ page } = await askForAccess(app));
	browser = await passwordGiven();
});

async function passwordGiven(): Promise<PageClient> {
	const client = pageClient(app.inject);
	await client.open(page);
	await client.submit("/oauth/consent/sign-in", login);
	return client;
}

test("the password alone opens no session: the code is asked for, and then the question", async () => {
	assert.match(browser.page.body, /<h1>Enter your code<\/h1>/);
	assert.match(browser.page.body, /<input id="code"[^>]* autocomplete="one-time-code"/);
	const fields = { ...hiddenFields(browser.page.body, CODE), code: authenticator.code() };
	const other = pageClient(app.inject);
	await other.open(page);
	assert.equal((await other.post(CODE, fields)).statusCode, 403, "the form of one browser is of no use in another");
	assert.deepEqual(
		[browser, other].map(({ cookies }) => cookies.has("svc_access_token")),
		[false, false],
	);
	// Typed with a blank, as apps show it.
	const code = authenticator.code().replace(/^.../, "$& ");
	assert.match((await browser.submit(CODE, { code })).body, /<h1>Allow access\?<\/h1>/);
	assert.ok(browser.cookies.has("svc_access_token"));
	const [backup = ""] = authenticator.backupCodes;
	assert.match((await (await passwordGiven()).submit(CODE, { code: backup })).body, /Allow access\?/);
});

test("a wrong code is asked for again, and after five of them the sign-in is over; what cannot be a code does not count", async () => {
	for (let tries = 0; tries < 6; tries++) assert.equal((await browser.submit(CODE, { code: "12345" })).statusCode, 422);
	for (let tries = 0; tries < 5; tries++) {
		const { statusCode, body } = await browser.submit(CODE, {
			code: wrongCode(authenticator.secret, app.clock.now()),
		});
		assert.equal(statusCode, 401);
		assert.match(body, /<p>The code is wrong\.<\/p>/);
	}
	const { statusCode, body } = await browser.submit(CODE, { code: authenticator.code() });
	assert.equal(statusCode, 429);
	assert.match(body, /<p>Too many wrong codes\. Sign in again\.<\/p>/);
	assert.ok(!browser.cookies.has("svc_access_token"));
});

test("after five minutes, or with a forged challenge, the password is asked for again", async () => {
	const forged = await browser.submit(CODE, { code: authenticator.code(), challenge_token: "0".repeat(43) });
	assert.equal(forged.statusCode, 401);
	assert.match(forged.body, /<p>This took too long\. Please sign in again\.<\/p>/);
	const slow = await passwordGiven();
	app.clock.advance(5 * 60_000);
	const late = await slow.submit(CODE, { code: authenticator.code() });
	assert.equal(late.statusCode, 401);
	assert.match(late.body, /<h1>Sign in<\/h1>/);
});
