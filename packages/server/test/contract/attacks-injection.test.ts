import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { after, before, test } from "node:test";
import type { AccessPeople } from "../support/access-people.ts";
import { accessScene, addressOf, type Targets, targetEnv, targetsOf } from "../support/access-targets.ts";
import type { Operation } from "../support/operations.ts";
import { type TestApp, testApp } from "../support/test-app.ts";
import { changeBodies } from "../support/write-samples.ts";

const MARK = "zqx";

const hostile = [
	`${MARK}' OR 1=1 --`,
	`') UNION SELECT password_hash FROM users -- ${MARK}`,
	`${MARK}\\'; DROP TABLE users; --`,
	`${MARK}\r\nSet-Cookie: ${MARK}=1`,
	`${MARK}\0`,
	`<script>${MARK}</script>`,
	`../../../../etc/passwd%00${MARK}`,
	`{{7*7}}\${7*7} ${MARK}`,
	`=cmd|'/c calc'!A1 ${MARK}`,
	`(a+)+$${MARK}`,
	"9".repeat(400),
	"-1e309",
];

/** Twice what the dearest request of these needs, whatever its text. */
const MOST_STATEMENTS = 60;
let statements = 0;
const count = () => {
	statements += 1;
};

let app: TestApp;
let everybody: AccessPeople;
let targets: Targets;
let operations: Operation[];

before(async () => {
	app = await testApp({ env: targetEnv });
	({ everybody, targets, operations } = await accessScene(app));
	// Reports have a test of their own, which looks at what the event store is asked.
	operations = operations.filter(({ path }) => path.startsWith("/api/v1/") && !path.includes("/stats/"));
	subscribe("sqlite.db.query", count);
});
after(async () => {
	unsubscribe("sqlite.db.query", count);
	await app.close();
});

/** Sends a request as the site's owner, who gets furthest. */
async function held(what: string, { method, url, payload }: { method: string; url: string; payload?: object }) {
	statements = 0;
	const response = await app.inject({
		method: method as "GET",
		url,
		headers: { ...everybody.sessions["org owner"] },
		...(payload !== undefined && { payload }),
	});
	const { statusCode, headers, body } = response;
	// An unconfigured feature names the missing setting.
	const isOff = statusCode === 503 && JSON.parse(body).error.code === "service_unavailable" && /[A-Z]_[A-Z]/.test(body);
	assert.ok(statusCode < 500 || isOff, `${what}: ${statusCode} ${body.slice(0, 200)}`);
	const added = Object.entries(headers).filter(([name, value]) => `${name}${value}`.includes(`${MARK}=`));
	assert.deepEqual(added, [], what);
	if (!String(headers["content-type"]).startsWith("application/json")) assert.doesNotMatch(body, /<script>zqx/, what);
	assert.doesNotMatch(body, /\$argon2|root:x:0|SQLITE_|syntax error|node_modules/, what);
	assert.ok(statements <= MOST_STATEMENTS, `${what}: ${statements} statements`);
}

test("hostile text in any parameter of a path or query is a value or a refusal, never a failure", async () => {
	let sent = 0;
	for (const operation of operations.filter(({ method }) => method === "GET")) {
		const url = addressOf(operation, targetsOf(operation, targets), "shop");
		const [path = "", query = ""] = url.split("?");
		for (const { name, in: place } of operation.parameters) {
			for (const text of hostile) {
				const given = new URLSearchParams(query);
				if (place === "query") given.set(name, text);
				const named = operation.path.replace(`{${name}}`, encodeURIComponent(text));
				const to = place === "path" ? named : path;
				await held(`${operation.route} ${name}=${text.slice(0, 30)}`, { method: "GET", url: `${to}?${given}` });
				sent += 1;
			}
		}
	}
	assert.ok(sent > 1000, String(sent));
});

/** The body with each of its texts in turn, wherever it lies, put in the place of another. */
function* withText(body: unknown, text: string): Generator<unknown> {
	if (typeof body === "string") yield text;
	else if (Array.isArray(body)) {
		for (const [at, item] of body.entries()) for (const put of withText(item, text)) yield body.with(at, put);
	} else if (typeof body === "object" && body !== null) {
		for (const [name, value] of Object.entries(body)) {
			for (const put of withText(value, text)) yield { ...body, [name]: put };
		}
		yield { ...body, [text]: text };
	}
}

test("hostile text in any field of a body is a value or a refusal, never a failure", async () => {
	let sent = 0;
	for (const operation of operations) {
		const body = changeBodies[operation.route];
		// Routes that call others, send mails or take seconds are skipped.
		if (body === undefined || /test|replay|exports|plan/.test(operation.route)) continue;
		const url = addressOf(operation, targetsOf(operation, targets), "shop");
		for (const text of hostile) {
			for (const payload of withText(body, text)) {
				await held(`${operation.route} ${JSON.stringify(payload).slice(0, 80)}`, {
					method: operation.method,
					url,
					payload: payload as object,
				});
				sent += 1;
			}
		}
	}
	assert.ok(sent > 300, String(sent));
});
