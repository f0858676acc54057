import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { signIn } from "../../../../test/support/accounts.ts";
import { apiCall } from "../../../../test/support/accounts-app.ts";
import { type AskedAccess, askForAccess } from "../../../../test/support/ask-for-access.ts";
import { enableTwoFactor, wrongCode } from "../../../../test/support/authenticator.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { hiddenFields, type PageClient, pageClient } from "../../../../test/support/page-client.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

const SIGN_UP = "/oauth/consent/sign-up";
const DECISION = "/oauth/consent/decision";
const CODE = "/oauth/consent/code";

let app: TestApp;
let asked: AskedAccess;
let browser: PageClient;
let people = 0;
/** Fields of the form that no test has sent before, and the id that the site gets. */
let filled: Readonly<Record<string, string>> & { readonly email: string; readonly password: string };
let siteId: string;

before(async () => {
	app = await testApp({ env: { REGISTRATION: "open" } });
});
after(() => app.close());
beforeEach(() => begin(app));

async function begin(service: TestApp) {
	siteId = `my-shop-${++people}`;
	filled = {
		name: "New Person",
		email: `new${people}@example.com`,
		password: "correct horse battery staple 7",
		site_name: `My shop ${people}`,
		domain: `${siteId}.example`,
		accept_terms: "true",
	};
	asked = await askForAccess(service);
	browser = pageClient(service.inject);
	await browser.open(`${SIGN_UP}?request_id=${asked.requestId}`);
}

test("signing up leads to the question, with the site that was named, and from there back to this app alone", async () => {
	const { body } = await browser.submit(SIGN_UP, filled);
	assert.match(body, /<h1>Allow access\?<\/h1>/);
	assert.ok(body.includes(`<dd><bdi>${filled.email}</bdi></dd>`));
	assert.match(body, /We sent you an email\./);
	assert.ok(body.includes(`<label for="site-${siteId}"><bdi>${filled.site_name}</bdi> (${siteId})</label>`));
	const [mail] = await mailbox(app).to(filled.email);
	assert.match(mail?.subject ?? "", /[Cc]onfirm/);
	const again = await browser.open(`${SIGN_UP}?request_id=${asked.requestId}`);
	assert.deepEqual([again.statusCode, again.headers.location], [303, asked.page], "who is signed in is led on");
	const other = await askForAccess(app, { name: "Other app", redirectUri: "https://other.example/callback" });
	assert.match((await browser.open(other.page)).body, /<h1>Sign in<\/h1>/);
	const allow = { decision: "approve", site_id: siteId };
	const fields = { ...hiddenFields((await browser.open(asked.page)).body, DECISION), ...allow };
	assert.equal((await browser.post(DECISION, { ...fields, request_id: other.requestId })).statusCode, 401);
	const answer = await browser.post(DECISION, fields);
	assert.match(String(answer.headers.refresh), /^0; url=https:\/\/notebook\.example\/callback\?code=/);
});

test("an address that is registered opens no session and changes nothing; its owner gets a mail", async () => {
	const owner = await signIn(app, { email: filled.email, name: "Owner" });
	const bodies = new Set<string>();
	for (const email of [filled.email, "another@example.com"]) {
		const faulty = await browser.submit(SIGN_UP, { ...filled, email, domain: "no host" });
		assert.equal(faulty.statusCode, 422);
		bodies.add(faulty.body.replaceAll(email, ""));
	}
	assert.equal(bodies.size, 1, "a faulty domain is told of it just as of any other");
	const { statusCode, body } = await browser.submit(SIGN_UP, filled);
	assert.equal(statusCode, 200);
	assert.match(body, /<h1>Check your email<\/h1>/);
	assert.ok(!browser.cookies.has("svc_access_token"));
	const { data } = (await app.inject({ method: "GET", url: "/api/v1/sites", headers: owner.headers })).json();
	assert.deepEqual(data.sites, []);
	assert.equal((await mailbox(app).to(filled.email)).length, 1);
	assert.match((await browser.open(asked.page)).body, /<h1>Sign in<\/h1>/);
});

test("what is wrong stands at its field, with everything typed but the password", async () => {
	const own = { email: "newperson@example.com", password: "i am newperson too" };
	const faults: readonly (readonly [field: string, value: string, sentence: string, own?: object])[] = [
		["name", "", "The name is required."],
		["email", "nonsense", "The email address must be an email address."],
		["password", "short", "The password must have at least 12 characters."],
		["password", "passwordpassword", "The password is too common or was leaked elsewhere."],
		["password", "", "The password must not", own],
		["site_name", "", "The site&#39;s name is required."],
		["site_name", "x".repeat(256), "The site&#39;s name must have at most 255 characters."],
		["domain", "not a domain", "The domain must be a host name, such as shop.example."],
		["accept_terms", "", "The terms must be accepted."],
	];
	const mails = (await mailbox(app).all()).length;
	for (const [field, value, sentence, more] of faults) {
		const { statusCode, body } = await browser.submit(SIGN_UP, { ...filled, [field]: value, ...more });
		assert.equal(statusCode, 422, sentence);
		assert.match(body, new RegExp(`<p class="fault" id="${field}-fault">${sentence.replaceAll(".", "\\.")}`));
		assert.match(body, new RegExp(`name="${field}"[^>]*aria-invalid="true"`), sentence);
		assert.ok(body.includes('value="New Person"') || field === "name", sentence);
		assert.ok(!body.includes("battery") && !body.includes("i am newperson"), sentence);
	}
	assert.equal((await mailbox(app).all()).length, mails);
});

test("signing up here counts with signing up at the API: three an hour, and forms with faults do not count", async (t) => {
	const limited = await testApp({ env: { RATE_LIMIT_ENABLED: "true", REGISTRATION: "open" } });
	t.after(() => limited.close());
	await begin(limited);
	for (let tries = 0; tries < 4; tries++) {
		assert.equal((await browser.submit(SIGN_UP, { ...filled, password: "short" })).statusCode, 422);
	}
	const register = (email: string) => ({
		method: "POST" as const,
		url: "/api/v1/auth/register",
		headers: { "x-forwarded-for": "203.0.113.7" },
		payload: { email, name: "Bot", password: filled.password, accept_terms: true },
	});
	for (const email of ["a@example.com", "b@example.com", "c@example.com"]) {
		assert.equal((await limited.inject(register(email))).statusCode, 200);
	}
	const { statusCode, headers, body } = await browser.submit(SIGN_UP, filled);
	assert.deepEqual([statusCode, headers["retry-after"]], [429, "3600"]);
	assert.match(body, /<p>Too many requests\. Try again in 3600 seconds\.<\/p>/);
	assert.equal((await mailbox(limited).to(filled.email)).length, 0);
});

test("the password alone opens no session: the code is asked for, and then the question", async () => {
	const { email, password } = filled;
	const authenticator = await enableTwoFactor({ call: apiCall(app), clock: app.clock }, await signIn(app, { email }));
	const passwordGiven = async () => {
		const client = pageClient(app.inject);
		await client.open(asked.page);
		await client.submit("/oauth/consent/sign-in", { email, password });
		return client;
	};
	browser = await passwordGiven();
	assert.match(browser.page.body, /<h1>Enter your code<\/h1>/);
	assert.match(browser.page.body, /<input id="code"[^>]* autocomplete="one-time-code"/);
	const fields = { ...hiddenFields(browser.page.body, CODE), code: authenticator.code() };
	const other = pageClient(app.inject);
	await other.open(asked.page);
	assert.equal((await other.post(CODE, fields)).statusCode, 403, "the form of one browser is of no use in another");
	assert.deepEqual(
		[browser, other].map(({ cookies }) => cookies.has("svc_access_token")),
		[false, false],
	);
	const wrong = await browser.submit(CODE, { code: wrongCode(authenticator.secret, app.clock.now()) });
	assert.equal(wrong.statusCode, 401);
	assert.match(wrong.body, /<p>The code is wrong\.<\/p>/);
	// Typed with a blank, as apps show it.
	const code = authenticator.code().replace(/^.../, "$& ");
	assert.match((await browser.submit(CODE, { code })).body, /<h1>Allow access\?<\/h1>/);
	assert.ok(browser.cookies.has("svc_access_token"));
	const [backup = ""] = authenticator.backupCodes;
	assert.match((await (await passwordGiven()).submit(CODE, { code: backup })).body, /Allow access\?/);
	const guessing = await passwordGiven();
	const typed = ["12345", ...Array.from({ length: 5 }, () => wrongCode(authenticator.secret, app.clock.now()))];
	const statuses = [];
	for (const guess of [...typed, authenticator.code()]) {
		statuses.push((await guessing.submit(CODE, { code: guess })).statusCode);
	}
	assert.deepEqual(statuses, [422, 401, 401, 401, 401, 401, 429]);
	assert.match(guessing.page.body, /<p>Too many wrong codes\. Sign in again\.<\/p>/);
	const slow = await passwordGiven();
	app.clock.advance(5 * 60_000);
	const late = await slow.submit(CODE, { code: authenticator.code() });
	assert.equal(late.statusCode, 401);
	assert.match(late.body, /<p>This took too long\. Please sign in again\.<\/p>/);
});
