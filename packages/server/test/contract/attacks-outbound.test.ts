import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSite, type Session, signIn } from "../support/accounts.ts";
import { authorizationOf, encoded } from "../support/app-token.ts";
import { type TestApp, testApp } from "../support/test-app.ts";
import { words } from "../support/words.ts";

/** Addresses that lead into a network, in spellings that differ. */
const inside = [
	...words(`
	https://127.0.0.1/ https://127.1/ https://2130706433/ https://0x7f000001/ https://0177.0.0.1/ https://10.0.0.1/
	https://172.16.0.1/ https://192.168.0.1/ https://169.254.169.254/latest/meta-data/ https://100.64.0.1/
	https://168.63.129.16/ https://224.0.0.1/ https://0.0.0.0/ https://[::1]/ https://[::ffff:127.0.0.1]/
	https://[64:ff9b::7f00:1]/ https://[2002:7f00:1::]/ https://[fd00::1]/ https://[fe80::1]/ https://localhost/
	https://localhost./ https://metadata.google.internal/ https://１２７.０.０.１/ https://user:password@hooks.example/
	ftp://hooks.example/ file:///etc/passwd gopher://hooks.example/ javascript:alert(1) data:text/plain,x
	//hooks.example/
`),
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

const webhook = (url: string) => ({ name: "Hook", url, event_types: ["goal.reached"] });
const alert = { name: "Inside", alert_type: "traffic_drop" };

/** Bodies that name an address, with the field that holds it. */
const given: readonly (readonly [route: string, field: string, body: (url: string) => object])[] = [
	["/webhooks", "url", webhook],
	["/sites/shop/pixel/check", "url", (url) => ({ url })],
	["/alerts/rules", "slack_webhook_url", (url) => ({ ...alert, slack_webhook_url: url })],
	["/alerts/rules", "custom_webhook_url", (url) => ({ ...alert, custom_webhook_url: url })],
];

test("no webhook, look at a page or alert leads into a network or speaks something else", async () => {
	for (const [route, field, body] of given) {
		for (const url of inside) {
			const answer = await post(route, body(url));
			const wrong = answer.json().error?.detail?.[0].field;
			assert.deepEqual([answer.statusCode, wrong], [422, `body.${field}`], `${route} ${url}`);
		}
	}
});

test("no description of an app is fetched from a network, and nobody is sent to such an address unasked", async () => {
	for (const url of inside) {
		const query = encoded(authorizationOf(`${url}client`));
		const answer = await app.inject({ url: `/api/v1/oauth/authorize?${query}` });
		assert.deepEqual([answer.statusCode, answer.headers.location], [400, undefined], url);
	}
});

test("a webhook cannot be moved into a network later, nor carry headers that are not its own", async () => {
	const made = await post("/webhooks", webhook("https://hooks.example/late"));
	assert.equal(made.statusCode, 201);
	const { id } = made.json().data ?? made.json();
	const url = `/api/v1/webhooks/${id}?account_id=shop`;
	const names = {
		host: "inside.example",
		"content-length": "1",
		"transfer-encoding": "chunked",
		connection: "upgrade",
	};
	const headers = [...Object.entries(names), ["x-a", "1\r\nx-b: 2"], ["x a", "1"]].map((pair) =>
		Object.fromEntries([pair]),
	);
	for (const payload of [...inside.map((to) => ({ url: to })), ...headers.map((sent) => ({ headers: sent }))]) {
		const answer = await app.inject({ method: "PATCH", url, headers: ann.headers, payload });
		assert.equal(answer.statusCode, 422, JSON.stringify(payload));
	}
});
