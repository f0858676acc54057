import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sendHit } from "../../../../test/support/hits.ts";
import { HOUR, MINUTE, steadyHours, watchedSites } from "../../../../test/support/watched-sites.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";

const START = Date.parse("2026-11-22T12:00:00.000Z");

test("while hits wait for the event store no rule is looked at; afterwards they count", async () => {
	const dataDir = mkdtempSync(join(tmpdir(), "footfall-test-"));
	let isAway = false;
	const watched = await watchedSites({
		dataDir,
		wrapEventStore: (store) => ({
			...store,
			insert: (rows) => {
				if (isAway) throw new ServiceError("database_unavailable");
				return store.insert(rows);
			},
		}),
	});
	try {
		const site = await watched.site();
		const id = await watched.rule(site, { alert_type: "traffic_drop" });
		await watched.store(steadyHours(site, START, 8 * 24, 4));
		isAway = true;
		watched.app.clock.set(new Date(START + 30 * MINUTE).toISOString());
		for (let visitor = 0; visitor < 4; visitor++) {
			await sendHit(watched.app, { site, url: "https://shop.example/", ip: `203.0.113.${visitor}` });
		}
		await watched.look(START + HOUR);
		const rule = await watched.call("GET", `/alerts/rules/${id}?account_id=${site}`);
		assert.deepEqual([rule.last_evaluated_at, await watched.history(site)], [null, []]);
		isAway = false;
		await watched.app.collector?.flush();
		await watched.look(START + HOUR);
		assert.deepEqual([await watched.state(site, id), await watched.history(site)], ["ok", []]);
	} finally {
		await watched.app.close();
		rmSync(dataDir, { recursive: true, force: true });
	}
});

test("refused hits are measured where they arrive", async () => {
	const watched = await watchedSites();
	try {
		const site = await watched.site();
		const errors = { alert_type: "error_rate", condition_type: "absolute_threshold", comparison_window: "15m" };
		const [quarter, third] = [
			await watched.rule(site, { ...errors, threshold_value: 25 }),
			await watched.rule(site, { ...errors, threshold_value: 26 }),
		];
		watched.app.clock.set(new Date(START + 5 * MINUTE).toISOString());
		for (let visitor = 0; visitor < 4; visitor++) {
			const token = visitor === 0 ? { token: "wrong" } : {};
			await sendHit(watched.app, { site, url: "https://shop.example/", ip: `203.0.113.${visitor}`, ...token });
		}
		await watched.look(START + 10 * MINUTE);
		assert.deepEqual([await watched.state(site, quarter), await watched.state(site, third)], ["firing", "ok"]);
		const [alert] = await watched.history(site);
		assert.equal(alert?.current_value, 25);
	} finally {
		await watched.app.close();
	}
});
