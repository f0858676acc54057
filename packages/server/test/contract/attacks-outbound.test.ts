import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSite, type Session, signIn } from "../support/accounts.ts";
import { type TestApp, testApp } from "../support/test-app.ts";

/** Addresses that lead into a network, in spellings that differ. */
const inside = [
	"https://127.0.0.1/",
	"https://127.1/",
	"https://2130706433/",
	"https://0x7f000001/",
	"https://0177.0.0.1/",
	"https://10.0.0.1/",
	"https://172.16.0.1/",
	"https://192.168.0.1/",
	"https://169.254.169.254/latest/meta-data/",
	"https://100.64.0.1/",
	"https://168.63.129.16/",
	"https://224.0.0.1/",
	"https://0.0.0.0/",
	"https://[::1]/",
	"https://[::ffff:127.0.0.1]/",
	"https://[64:ff9b::7f00:1]/",
	"https://[2002:7f00:1::]/",
	"https://[fd00::1]/",
	"https://[fe80::1]/",
	"https://localhost/",
	"https://localhost./",
	"https://metadata.google.internal/",
	"https://１２７.０.０.１/",
	"https://user:password@hooks.example/",
	"ftp://hooks.example/",
	"file:///etc/passwd",
	"gopher://hooks.example/",
	"javascript:alert(1)",
	"data:text/plain,x",
	"//hooks.example/",
	"https:/\\127.0.0.1/",
];

let app: TestApp;
let ann: Session;
before(async () => {
	app = await testApp();
	ann = await signIn(app);
	await createSite(app, ann);
});
after(() => app.close());

const post = (url: string, payload: object) =>
	app.inject({ method: "POST", url: `/api/v1${url}?account_id=shop`, headers: ann.headers, payload });

test("no webhook is made that calls into a network or speaks something else", async () => {
	for (const url of inside) {
		const answer = await post("/webhooks", { name: "Inside", url, event_types: ["goal.reached"] });
		assert.deepEqual([answer.statusCode, answer.json().error.detail?.[0].field], [422, "body.url"], url);
	}
	const { statusCode } = await post("/webhooks", {
		name: "Outside",
		url: "https://hooks.example/",
		event_types: ["goal.reached"],
	});
	assert.equal(statusCode, 201);
});

test("no page is looked at inside a network", async () => {
	for (const url of inside) {
		const answer = await post("/sites/shop/pixel/check", { url });
		assert.deepEqual([answer.statusCode, answer.json().error.detail?.[0].field], [422, "body.url"], url);
	}
});

test("no alert is posted into a network", async () => {
	for (const url of inside) {
		for (const field of ["slack_webhook_url", "custom_webhook_url"]) {
			const answer = await post("/alerts/rules", { name: "Inside", alert_type: "traffic_drop", [field]: url });
			assert.deepEqual([answer.statusCode, answer.json().error.detail?.[0].field], [422, `body.${field}`], url);
		}
	}
});

test("no description of an app is fetched from a network, and nobody is sent to such an address unasked", async () => {
	for (const url of inside) {
		const query = new URLSearchParams({
			client_id: `${url}client`,
			redirect_uri: "https://app.example/callback",
			response_type: "code",
			code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
			code_challenge_method: "S256",
		});
		const answer = await app.inject({ url: `/api/v1/oauth/authorize?${query}` });
		assert.equal(answer.statusCode, 400, url);
		assert.equal(answer.headers.location, undefined, url);
	}
});

test("a webhook cannot be moved into a network later, nor carry headers that are not its own", async () => {
	const made = await post("/webhooks", {
		name: "Late",
		url: "https://hooks.example/late",
		event_types: ["goal.reached"],
	});
	const { id } = made.json().data ?? made.json();
	const patch = (payload: object) =>
		app.inject({ method: "PATCH", url: `/api/v1/webhooks/${id}?account_id=shop`, headers: ann.headers, payload });
	for (const url of inside) assert.equal((await patch({ url })).statusCode, 422, url);
	for (const headers of [
		{ host: "inside.example" },
		{ "content-length": "1" },
		{ "transfer-encoding": "chunked" },
		{ "x-a": "1\r\nx-b: 2" },
		{ "x a": "1" },
		{ connection: "upgrade" },
	]) {
		assert.equal((await patch({ headers })).statusCode, 422, JSON.stringify(headers));
	}
});
