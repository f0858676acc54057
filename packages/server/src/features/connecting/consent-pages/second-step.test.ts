import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { signIn } from "../../../../test/support/accounts.ts";
import { apiCall } from "../../../../test/support/accounts-app.ts";
import { type AskedAccess, askForAccess } from "../../../../test/support/ask-for-access.ts";
import { type Authenticator, enableTwoFactor, wrongCode } from "../../../../test/support/authenticator.ts";
import { hiddenFields, type PageClient, pageClient } from "../../../../test/support/page-client.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

const CODE = "/oauth/consent/code";
const SIGN_IN = "/oauth/consent/sign-in";

let app: TestApp;
let asked: AskedAccess;
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
	const ann = await signIn(app, login);
	authenticator = await enableTwoFactor({ call: apiCall(app), clock: app.clock }, ann);
	asked = await askForAccess(app);
	browser = pageClient(app.inject);
	await browser.open(asked.page);
	await browser.submit(SIGN_IN, login);
});

test("the password alone opens no session: the code is asked for, and then the question", async () => {
	assert.match(browser.page.body, /<h1>Enter your code<\/h1>/);
	assert.match(browser.page.body, /<input id="code"[^>]* autocomplete="one-time-code"/);
	assert.ok(!browser.cookies.has("svc_access_token"));
	const { body } = await browser.submit(CODE, { code: authenticator.code() });
	assert.match(body, /<h1>Allow access\?<\/h1>/);
	assert.ok(browser.cookies.has("svc_access_token"));
});

test("a backup code does as well, and a code may be typed with blanks", async () => {
	assert.match((await browser.submit(CODE, { code: authenticator.backupCodes[0] ?? "" })).body, /Allow access\?/);
	const other = pageClient(app.inject);
	await other.open(asked.page);
	await other.submit(SIGN_IN, login);
	const code = authenticator.code();
	assert.match((await other.submit(CODE, { code: `${code.slice(0, 3)} ${code.slice(3)}` })).body, /Allow access\?/);
});

test("a wrong code is asked for again, and after five of them the sign-in is over", async () => {
	const code = wrongCode(authenticator.secret, app.clock.now());
	for (let tries = 0; tries < 5; tries++) {
		const { statusCode, body } = await browser.submit(CODE, { code });
		assert.equal(statusCode, 401);
		assert.match(body, /<p>The code is wrong\.<\/p>/);
	}
	const { statusCode, body } = await browser.submit(CODE, { code: authenticator.code() });
	assert.equal(statusCode, 429);
	assert.match(body, /<p>Too many wrong codes\. Sign in again\.<\/p>/);
	assert.ok(!browser.cookies.has("svc_access_token"));
});

test("a code that cannot be one is not counted", async () => {
	for (let tries = 0; tries < 6; tries++) {
		assert.equal((await browser.submit(CODE, { code: "12345" })).statusCode, 422);
	}
	assert.match((await browser.submit(CODE, { code: authenticator.code() })).body, /Allow access\?/);
});

test("after five minutes, or with a forged challenge, the password is asked for again", async () => {
	const forged = await browser.submit(CODE, { code: authenticator.code(), challenge_token: "0".repeat(43) });
	assert.equal(forged.statusCode, 401);
	assert.match(forged.body, /<p>This took too long\. Please sign in again\.<\/p>/);
	await browser.submit(SIGN_IN, login);
	app.clock.advance(5 * 60_000);
	const late = await browser.submit(CODE, { code: authenticator.code() });
	assert.equal(late.statusCode, 401);
	assert.match(late.body, /<h1>Sign in<\/h1>/);
});

test("the form of one browser is of no use in another", async () => {
	const fields = { ...hiddenFields(browser.page.body, CODE), code: authenticator.code() };
	const other = pageClient(app.inject);
	await other.open(asked.page);
	assert.equal((await other.post(CODE, fields)).statusCode, 403);
	assert.ok(!other.cookies.has("svc_access_token"));
});
