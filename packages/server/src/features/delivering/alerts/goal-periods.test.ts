import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR, MINUTE, views, watchSites } from "../../../../test/support/watched-sites.ts";

const MIDNIGHT = Date.parse("2026-11-22T00:00:00.000Z");
const above = { condition_type: "absolute_threshold", threshold_value: 5 };
const goal = { ...above, alert_type: "goal_reached", custom_condition: { period: "day" } };

const watched = watchSites({ now: "2026-11-18T12:00:00.000Z" });

const reached = (site: string) =>
	watched
		.events(site)
		.flatMap((event) => (event.type === "goal.reached" ? [[event.data.period_start, event.data.current_value]] : []));
const lateHits = (site: string, date: string, count = 5) =>
	watched.store(views(site, MIDNIGHT - MINUTE, MIDNIGHT, count, { date }));

test("a goal that is reached in the last minute of its day is reached on that day", async () => {
	const site = await watched.site();
	await watched.rule(site, goal);
	await lateHits(site, "2026-11-21");
	await watched.look(MIDNIGHT);
	await watched.look(MIDNIGHT + MINUTE);
	assert.deepEqual(reached(site), [["2026-11-21T00:00:00.000Z", 5]]);
	const [entry] = await watched.history(site);
	assert.equal(entry?.period_end, "2026-11-22T00:00:00.000Z");
});

test("a pause over midnight loses no goal, and finds none that was not reached", async () => {
	const [site, short] = [await watched.site(), await watched.site()];
	await watched.rule(site, goal);
	await watched.rule(short, goal);
	await watched.look(MIDNIGHT - HOUR);
	await lateHits(site, "2026-11-21");
	await lateHits(short, "2026-11-21", 4);
	await watched.look(MIDNIGHT + HOUR);
	await watched.look(MIDNIGHT + HOUR + MINUTE);
	assert.deepEqual([reached(site), reached(short)], [[["2026-11-21T00:00:00.000Z", 5]], []]);
});

test("a rule that was off, or is another one since, looks at no day of before", async () => {
	const [off, changed] = [await watched.site(), await watched.site()];
	const ids = [await watched.rule(off, goal), await watched.rule(changed, goal)];
	await watched.look(MIDNIGHT - 2 * HOUR);
	await lateHits(off, "2026-11-21");
	await lateHits(changed, "2026-11-21");
	await watched.call("PATCH", `/alerts/rules/${ids[0]}?account_id=${off}`, { is_active: false });
	watched.app.clock.set(new Date(MIDNIGHT + HOUR / 2).toISOString());
	await watched.call("PATCH", `/alerts/rules/${ids[0]}?account_id=${off}`, { is_active: true });
	await watched.call("PATCH", `/alerts/rules/${ids[1]}?account_id=${changed}`, { threshold_value: 4 });
	await watched.look(MIDNIGHT + HOUR);
	assert.deepEqual([reached(off), reached(changed)], [[], []]);
});

test("days of 23 and 25 hours are days of the site's clock", async () => {
	const site = await watched.site("Europe/Madrid");
	await watched.rule(site, goal);
	// Clocks go forward on 29 March 2026 and back on 25 October 2026, at 01:00 UTC.
	for (const [date, from] of [
		["2026-03-29", "2026-03-28T23:00:00.000Z"],
		["2026-10-25", "2026-10-24T22:00:00.000Z"],
	] as const) {
		const end = Temporal.PlainDate.from(date).add({ days: 1 }).toZonedDateTime("Europe/Madrid").epochMilliseconds;
		await watched.store(views(site, end - MINUTE, end, 5, { date }));
		await watched.look(end);
		assert.deepEqual(reached(site).at(-1), [from, 5]);
	}
	assert.equal(reached(site).length, 2);
});

test("a rule that becomes a goal ends its incident, and its cooldown holds no goal back", async () => {
	const site = await watched.site();
	const id = await watched.rule(site, { ...above, cooldown_minutes: 1440 });
	const noon = MIDNIGHT + 12 * HOUR;
	await watched.store(views(site, noon - HOUR, noon, 8, { date: "2026-11-22" }));
	await watched.look(noon);
	await watched.call("PATCH", `/alerts/rules/${id}?account_id=${site}`, goal);
	await watched.look(noon + MINUTE);
	const found = (await watched.history(site)).map(({ status, alert_type }) => [alert_type, status]);
	assert.deepEqual(found, [
		["goal_reached", "resolved"],
		["traffic_spike", "resolved"],
	]);
	assert.equal(await watched.state(site, id), "ok");
});
