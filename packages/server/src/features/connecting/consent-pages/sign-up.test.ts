import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createSite, signIn } from "../../../../test/support/accounts.ts";
import { type AskedAccess, askForAccess } from "../../../../test/support/ask-for-access.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { hiddenFields, type PageClient, pageClient } from "../../../../test/support/page-client.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

const SIGN_UP = "/oauth/consent/sign-up";
const DECISION = "/oauth/consent/decision";

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

const api = (url: string, method: "GET" | "POST" = "GET") => {
	const headers = { authorization: `Bearer ${browser.cookies.get("svc_access_token")}` };
	return app.inject({ method, url: `/api/v1${url}`, headers });
};

test("signing up leads to the question, with the site that was named, and from there back to the app", async () => {
	const { statusCode, body } = await browser.submit(SIGN_UP, filled);
	assert.equal(statusCode, 200);
	assert.match(body, /<h1>Allow access\?<\/h1>/);
	assert.ok(body.includes(`<dd><bdi>${filled.email}</bdi></dd>`));
	assert.match(body, /A mail is on its way to you\./);
	assert.ok(body.includes(`<label for="site-${siteId}"><bdi>${filled.site_name}</bdi> (${siteId})</label>`));
	const answer = await browser.submit(DECISION, { decision: "approve", site_id: siteId });
	assert.match(String(answer.headers.refresh), /^0; url=https:\/\/notebook\.example\/callback\?code=/);
	const [mail] = await mailbox(app).to(filled.email);
	assert.match(mail?.subject ?? "", /[Cc]onfirm/);
});

test("until the address is confirmed the session answers this request and does nothing else", async () => {
	await browser.submit(SIGN_UP, filled);
	for (const url of ["/sites", "/users/me", "/auth/sessions", `/stats/overview?site_id=${siteId}`]) {
		const { statusCode, json } = await api(url);
		assert.deepEqual([statusCode, json().error.code], [403, "email_not_verified"], url);
	}
	const other = await askForAccess(app, { name: "Other app", redirectUri: "https://other.example/callback" });
	assert.match((await browser.open(other.page)).body, /<h1>Sign in<\/h1>/);
	const mine = await browser.open(asked.page);
	const { form_token: token = "" } = hiddenFields(mine.body, DECISION);
	const fields = { request_id: other.requestId, form_token: token, decision: "approve", site_id: siteId };
	assert.equal((await browser.post(DECISION, fields)).statusCode, 401);
});

test("an address that is registered opens no session and changes nothing; its owner gets a mail", async () => {
	const owner = await signIn(app, { email: filled.email, name: "Owner" });
	await createSite(app, owner, { name: "Old shop" });
	const { statusCode, body } = await browser.submit(SIGN_UP, filled);
	assert.equal(statusCode, 200);
	assert.match(body, /<h1>Look into your mail<\/h1>/);
	assert.ok(!browser.cookies.has("svc_access_token"));
	const sites = await app.inject({ method: "GET", url: "/api/v1/sites", headers: owner.headers });
	assert.deepEqual(
		sites.json().data.sites.map(({ id }: { id: string }) => id),
		["old-shop"],
	);
	assert.equal((await mailbox(app).to(filled.email)).length, 1);
	assert.match((await browser.open(asked.page)).body, /<h1>Sign in<\/h1>/);
});

test("what is wrong stands at its field, with everything typed but the password", async () => {
	const faults: Readonly<Record<string, readonly [field: string, value: string, sentence: string]>> = {
		name: ["name", "", "The name is required."],
		email: ["email", "nonsense", "The e-mail address must be an e-mail address."],
		"a short password": ["password", "short", "The password must have at least 12 characters."],
		"a common password": ["password", "passwordpassword", "The password is too common or was leaked elsewhere."],
		"a password with the address": ["password", `my ${filled.email}`, "The password must not"],
		site: ["site_name", "", "The site&#39;s name is required."],
		domain: ["domain", "not a domain", "The domain must be a host name, such as shop.example."],
		terms: ["accept_terms", "", "The terms must be accepted."],
	};
	const mails = (await mailbox(app).all()).length;
	for (const [what, [field, value, sentence]] of Object.entries(faults)) {
		const own =
			what === "a password with the address" ? { email: "newperson@example.com", password: "i am newperson too" } : {};
		const { statusCode, body } = await browser.submit(SIGN_UP, { ...filled, [field]: value, ...own });
		assert.equal(statusCode, 422, what);
		const fault = new RegExp(`<p class="fault" id="${field}-fault">${sentence.replaceAll(".", "\\.")}`);
		assert.match(body, fault, what);
		assert.match(body, new RegExp(`name="${field}"[^>]*aria-invalid="true"`), what);
		assert.ok(body.includes('value="New Person"') || field === "name", what);
		assert.ok(!body.includes("battery"), what);
	}
	assert.equal((await mailbox(app).all()).length, mails);
});

test("a faulty domain is told of an address that is registered just as of any other", async () => {
	await signIn(app, { email: filled.email, name: "Owner" });
	const bodies: string[] = [];
	for (const email of [filled.email, "another@example.com"]) {
		const { statusCode, body } = await browser.submit(SIGN_UP, { ...filled, email, domain: "127.0.0.1" });
		assert.equal(statusCode, 422);
		bodies.push(body.replaceAll(email, ""));
	}
	assert.equal(bodies[0], bodies[1]);
});

test("who is signed in already is led to the question", async () => {
	await browser.submit(SIGN_UP, filled);
	const { statusCode, headers } = await browser.open(`${SIGN_UP}?request_id=${asked.requestId}`);
	assert.equal(statusCode, 303);
	assert.equal(headers.location, asked.page);
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
	assert.equal(statusCode, 429);
	assert.equal(headers["retry-after"], "3600");
	assert.match(body, /<p>Too many requests\. Try again in 3600 seconds\.<\/p>/);
	assert.equal((await mailbox(limited).to(filled.email)).length, 0);
});
