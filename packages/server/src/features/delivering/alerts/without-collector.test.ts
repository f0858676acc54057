import assert from "node:assert/strict";
import { test } from "node:test";
import { watchedSites } from "../../../../test/support/watched-sites.ts";

const START = Date.parse("2026-11-22T12:00:00.000Z");

test("refused hits that no process here has seen are an error of the rule, and nothing fires", async () => {
	const watched = await watchedSites({ env: { ROLES: "api,jobs" } });
	try {
		const site = await watched.site();
		const rule = { alert_type: "error_rate", condition_type: "absolute_threshold", threshold_value: 0 };
		const id = await watched.rule(site, rule);
		await watched.look(START);
		assert.deepEqual([await watched.state(site, id), await watched.history(site)], ["error", []]);
	} finally {
		await watched.app.close();
	}
});
