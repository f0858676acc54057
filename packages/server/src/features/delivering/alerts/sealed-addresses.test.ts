import assert from "node:assert/strict";
import { test } from "node:test";
import { watchSites } from "../../../../test/support/watched-sites.ts";
import { resealRules } from "./reseal-rules.ts";
import { addressesOf } from "./sealed-addresses.ts";
import { findRules, updateRule } from "./store.ts";

const slack = "https://hooks.slack.example/services/T/B/hidden";
const custom = "https://hooks.example/?key=hidden";
const NEW_KEY = "another secret of the tests, 32 characters or more";

const watched = watchSites();

const rowOf = async (id: number) => {
	const [row] = await findRules(watched.app.metadata, [id]);
	assert.ok(row);
	return row;
};
const opened = async (id: number) => addressesOf(watched.app.config, await rowOf(id));

test("are stored sealed; the one of Slack is never shown again, nor logged", async () => {
	const site = await watched.site();
	const url = `/alerts/rules?account_id=${site}`;
	const urls = { slack_webhook_url: slack, custom_webhook_url: custom };
	const created = await watched.call("POST", url, { name: "Watch", ...urls });
	const listed = await watched.call("GET", url);
	for (const rule of [created, listed.rules[0]]) {
		assert.deepEqual([rule.slack_webhook_url, rule.custom_webhook_url], ["https://hooks.slack.example/…", custom]);
	}
	assert.ok(!JSON.stringify(await rowOf(created.id)).includes("hidden"));
	assert.deepEqual(await opened(created.id), { slack_webhook_url: slack, custom_webhook_url: custom });
	await watched.call("DELETE", `/alerts/rules/${created.id}?account_id=${site}`);
	const { logs } = (await watched.call("GET", `/audit/logs?resource_type=alert_rule&account_id=${site}`)).data;
	assert.equal(logs.length, 2);
	assert.ok(!JSON.stringify(logs).includes("hidden"));
	assert.ok(!watched.app.logLines.join("").includes("hidden"));
});

test("a masked address that comes back changes nothing, another one and null do", async () => {
	const site = await watched.site();
	const id = await watched.rule(site, { slack_webhook_url: slack, notify_slack: true });
	const change = (body: object) => watched.call("PATCH", `/alerts/rules/${id}?account_id=${site}`, body);
	const shown = await change({ name: "Renamed" });
	await change({ ...shown, description: null, custom_condition: null });
	assert.equal((await opened(id)).slack_webhook_url, slack);
	await change({ slack_webhook_url: "https://hooks.slack.example/services/other" });
	assert.equal((await opened(id)).slack_webhook_url, "https://hooks.slack.example/services/other");
	await change({ notify_slack: false, slack_webhook_url: null });
	assert.equal((await opened(id)).slack_webhook_url, null);
});

test("an address copied to a rule of another site stays shut", async () => {
	const [one, two] = [await watched.site(), await watched.site()];
	const [own, foreign] = [await watched.rule(one, { slack_webhook_url: slack }), await watched.rule(two, {})];
	await updateRule(watched.app.metadata, foreign, { sealed_slack_url: (await rowOf(own)).sealed_slack_url });
	assert.equal((await opened(foreign)).slack_webhook_url, null);
	await updateRule(watched.app.metadata, foreign, { sealed_slack_url: null });
});

test("a start with a new secret and the one before seals them anew; without it they are counted as lost", async () => {
	const { metadata, config } = watched.app;
	const site = await watched.site();
	const id = await watched.rule(site, { slack_webhook_url: slack, custom_webhook_url: custom });
	const alone = { secretKey: NEW_KEY, secretKeyPrevious: undefined };
	assert.equal(await resealRules({ metadata, secretKey: config.secretKey, secretKeyPrevious: undefined }), 0);
	assert.ok((await resealRules({ metadata, ...alone })) > 0);
	assert.deepEqual(await opened(id), { slack_webhook_url: slack, custom_webhook_url: custom }, "and left as they are");
	assert.equal(await resealRules({ metadata, secretKey: NEW_KEY, secretKeyPrevious: config.secretKey }), 0);
	assert.deepEqual(await opened(id), { slack_webhook_url: null, custom_webhook_url: null });
	assert.deepEqual(addressesOf(alone, await rowOf(id)), { slack_webhook_url: slack, custom_webhook_url: custom });
});
