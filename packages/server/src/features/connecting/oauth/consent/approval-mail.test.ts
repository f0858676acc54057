import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type AccountsApp, onBothEngines, password, type SignedIn } from "../../../../../test/support/accounts-app.ts";
import { appTokens, askForAccess, registerApp, requestIdIn } from "../../../../../test/support/app-token.ts";
import { mailbox } from "../../../../../test/support/mailbox.ts";

const docs = "https://stats.example/docs#/Connections";
const reset = "https://stats.example/reset-password";

onBothEngines("the mail about an app", (open) => {
	let app: AccountsApp;
	let ann: SignedIn;
	let site: string;
	before(async () => {
		app = await open();
		ann = await app.user("Ann");
		site = await app.site(ann);
	});
	after(() => app.close());

	const approvals = async (address: string) =>
		(await mailbox(app).to(address)).filter(({ subject }) => subject === "An app was allowed to read a site of yours");

	test("an approval is told to its user: app, where its answer goes, site and moment, and how to end it", async () => {
		const clientId = await registerApp(app, { client_name: "Sheets <b>" });
		await appTokens(app, { headers: ann.headers, site, clientId });
		const [mail, ...others] = await approvals(ann.email);
		assert.equal(others.length, 0);
		assert.deepEqual(mail?.text.split("\n\n"), [
			"You allowed the app “Sheets <b>” to read the site “Shop” (shop) of your account with Footfall at https://stats.example.",
			"The app chose its name itself. Its answer went to: app.example",
			"Allowed on: 21 November 2026 at 12:00 UTC",
			"It can read until you end the connection, or until it is not used for 30 days.",
			`See and end your connections:\n${docs}`,
			"If it was not you, choose a new password: that signs everybody out, and ends the access of all apps.",
			`Choose a new password:\n${reset}\n`,
		]);
		assert.match(mail?.html ?? "", /“Sheets &lt;b&gt;”/);
		assert.ok(mail?.html.includes(`<a href="${docs}"`) && mail.html.includes(`<a href="${reset}"`));
	});

	test("it says when the access ends by itself", async () => {
		await appTokens(app, { headers: ann.headers, site, scope: "analytics:read" });
		assert.match((await approvals(ann.email)).at(-1)?.text ?? "", /\n\nIt can read for an hour\.\n\n/);
	});

	test("a refusal, and a decision that came too late, send nothing", async () => {
		const count = (await approvals(ann.email)).length;
		const requestId = requestIdIn(await askForAccess(app, await registerApp(app)));
		const decide = (body: object) => app.call(`POST /oauth/consent/${requestId}/decision`, { as: ann, body });
		assert.equal((await decide({ decision: "deny" })).statusCode, 200);
		assert.equal((await decide({ decision: "approve", site_id: site })).statusCode, 404);
		assert.equal((await approvals(ann.email)).length, count);
	});

	test("to an address that nobody has confirmed, nothing is sent that the app or a stranger wrote", async () => {
		const clientId = await registerApp(app, { client_name: "Win at evil.example" });
		const requestId = requestIdIn(await askForAccess(app, clientId));
		const email = "new@example.com";
		const newcomer = { email, name: "Win at evil.example", password, accept_terms: true, request_id: requestId };
		const signedUp = await app.call("POST /oauth/onboarding", { body: { ...newcomer, site_name: "evil.example" } });
		const cookies = Object.fromEntries(signedUp.cookies.map(({ name, value }) => [name, value]));
		const decided = await app.call(`POST /oauth/consent/${requestId}/decision`, {
			cookies,
			headers: { "x-csrf-token": cookies.svc_csrf_token ?? "" },
			body: { decision: "approve", site_id: "evil-example" },
		});
		assert.equal(decided.statusCode, 200, decided.body);
		const [mail, ...others] = await approvals(email);
		assert.equal(others.length, 0);
		assert.deepEqual(mail?.links, ["https://stats.example", docs, reset]);
		for (const { text, html } of await mailbox(app).to(email)) assert.doesNotMatch(text + html, /evil/);
	});
});
