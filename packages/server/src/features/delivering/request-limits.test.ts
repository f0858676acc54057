import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createSite, signIn } from "../../../test/support/accounts.ts";
import { codeOf } from "../../../test/support/refusals.ts";
import { requestOf } from "../../../test/support/request-of.ts";
import { testApp } from "../../../test/support/test-app.ts";

/** Ids of what each of two sites has. */
const ids: Record<string, Readonly<Record<string, readonly (string | number)[]>>> = {};

/** A request about a site; ids of its things stand for their names, in turn. */
const post = (site: string, path: string, body: object = {}, turn = 0) => {
	const named = path.replace(/\{(\w+)\}/, (_, name: string) => String(ids[site]?.[name]?.at(turn % 2)));
	return app.inject(requestOf(`POST ${named}`, { headers: ann.headers, body, query: `account_id=${site}` }));
};
const idOf = async (...request: Parameters<typeof post>) => {
	const { data, id = data.id } = (await post(...request)).json();
	return id;
};

const noSuchName = Object.assign(new Error("No such name"), { code: "ENOTFOUND" });
const app = await testApp({
	env: { RATE_LIMIT_ENABLED: "true" },
	outbound: { resolveName: (_name, _options, done) => done(noSuchName, []) },
});
const ann = await signIn(app);
const hook = { name: "Hook", url: "https://hooks.example/in", event_types: ["goal.reached"] };
for (const name of ["Shop", "Second"]) {
	const site = await createSite(app, ann, { name, domains: [] });
	const webhook = [await idOf(site, "/webhooks", hook), await idOf(site, "/webhooks", hook)];
	const rule = await idOf(site, "/alerts/rules", { name: "Watch", notify_email: false });
	const report = await idOf(site, "/mail-reports", { frequency: "weekly", recipients: [ann.email] });
	ids[site] = { webhook, rule: [rule, rule], report: [report, report] };
}
after(() => app.close());

const unknown = "00000000-0000-4000-8000-000000000000";
for (const [what, by, most, seconds, path, body, status] of [
	["tests of webhooks", "site", 30, 600, "/webhooks/{webhook}/test", {}, 200],
	["replays", "site", 300, 3600, `/webhooks/{webhook}/deliveries/${unknown}/replay`, {}, 404],
	["replays of many", "site", 30, 3600, "/webhooks/bulk/replay", { delivery_ids: [unknown] }, 200],
	["tests of alerts", "user", 30, 3600, "/alerts/rules/{rule}/test", { send_notification: true }, 200],
	["tests of mail reports", "user", 10, 3600, "/mail-reports/{report}/test", {}, 200],
] as const) {
	test(`a ${by} has ${most} ${what} in ${seconds} seconds, whatever its plan`, async () => {
		for (let turn = 0; turn < most; turn++) assert.equal((await post("shop", path, body, turn)).statusCode, status);
		const over = await post("shop", path, body);
		assert.deepEqual([...codeOf(over), over.headers["retry-after"]], [429, "rate_limit_exceeded", String(seconds)]);
		assert.equal((await post("second", path, body)).statusCode, by === "site" ? status : 429);
	});
}

test("asking what a rule measures, without a message, is not counted among its tests", async () => {
	for (let turn = 0; turn < 31; turn++) {
		assert.equal((await post("shop", "/alerts/rules/{rule}/test", { send_notification: false })).statusCode, 200);
	}
});
