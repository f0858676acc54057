import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { type AccountsApp, accountsApp, password } from "../../../../test/support/accounts-app.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { hiddenFields, type PageClient, pageClient } from "../../../../test/support/page-client.ts";

const page = "/verify-email";
let app: AccountsApp;
let eve: PageClient;
let victim: PageClient;
let link: string;

before(async () => {
	app = await accountsApp();
});
after(() => app.close());

let people = 0;
beforeEach(async () => {
	people += 1;
	const email = `eve${people}@example.com`;
	await app.call("POST /auth/register", { body: { email, name: "Eve", password, accept_terms: true } });
	const url = new URL((await mailbox(app).to(email))[0]?.links.find((address) => address.includes("token=")) ?? "");
	link = url.pathname + url.search;
	eve = pageClient(app.inject);
	await eve.open(link);
	victim = pageClient(app.inject);
	await victim.open("/verify-email");
});

/** The answer signs in no user, and its form has a working button. */
function assertRefused(response: Awaited<ReturnType<PageClient["post"]>>): void {
	assert.equal(response.statusCode, 403);
	assert.match(
		response.body,
		/<title>Error: .*(This form was opened elsewhere, or is too old\. Send it again|Request from a foreign origin)\./s,
	);
	assert.equal(
		response.cookies.some(({ name }) => name === "svc_access_token"),
		false,
	);
}

test("another page cannot sign somebody in as its author: the token of a form is that of one browser", async () => {
	const form = hiddenFields(eve.page.body, page);
	assertRefused(await victim.post(page, form));
	for (const token of ["", "0".repeat(64), "x"]) assertRefused(await victim.post(page, { ...form, form_token: token }));
	const stranger = pageClient(app.inject);
	assertRefused(await stranger.post(page, form));
	stranger.cookies.set("svc_link_browser", "planted");
	assertRefused(await stranger.post(page, form));
	assert.match((await eve.submit(page, { password })).body, /The address is confirmed/);
});

test("a form from elsewhere is refused by what the browser says of it, even with the right token", async () => {
	for (const headers of [
		{ origin: "https://evil.example" },
		{ origin: "https://stats.example.evil.example" },
		{ "sec-fetch-site": "cross-site" },
		{ "sec-fetch-site": "same-site" },
		{ origin: "null", "sec-fetch-site": "cross-site" },
	]) {
		assertRefused(await eve.submit(page, { password }, headers));
	}
	// A page that keeps its address to itself has no origin to tell.
	assert.equal(
		(await eve.submit(page, { password }, { origin: "null", "sec-fetch-site": "same-origin" })).statusCode,
		200,
	);
});

test("the form that came back after a refusal works", async () => {
	assertRefused(await victim.post(page, { token: new URL(link, "https://x").searchParams.get("token") ?? "" }));
	assert.match((await victim.submit(page, { password })).body, /The address is confirmed/);
});

test("a form does for no other page, and for no other session", async () => {
	const { form_token: formToken = "" } = hiddenFields(eve.page.body, page);
	const other = await eve.post("/reset-password/request", { email: "ann@example.com", form_token: formToken });
	assertRefused(other);
	const ann = await app.user(`Ann${people}`);
	await eve.open(link);
	for (const [name, value] of Object.entries(ann.cookies)) eve.cookies.set(name, value);
	assertRefused(await eve.submit(page, { password }));
});

test("what is no form is refused as a page, and large ones before they are read", async () => {
	const [token = ""] = [hiddenFields(eve.page.body, page).form_token];
	assertRefused(await eve.post(page, "[1]", { "content-type": "application/json" }));
	assert.equal((await eve.post(page, "<x/>", { "content-type": "text/xml" })).statusCode, 400);
	assert.equal((await eve.post(page, `form_token=${token}&token=${"x".repeat(17_000)}`)).statusCode, 413);
	assert.match(String(eve.page.headers["content-type"]), /^text\/html/);
});
