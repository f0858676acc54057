import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { migrateEvents } from "../../migrations/events/index.ts";
import { botStatistics } from "../../src/analytics/query/bot-statistics.ts";
import { suspiciousSessions } from "../../src/analytics/query/suspicious-sessions.ts";
import type { EventQuery, EventStore } from "../../src/platform/event-store/event-store.ts";
import { openTestStore, type TestStore } from "../../src/platform/event-store/test-store.ts";

const clock = { now: () => Date.parse("2026-11-21T12:00:00.000Z") };
const range = { start: Temporal.PlainDate.from("2026-10-23"), end: Temporal.PlainDate.from("2026-11-21") };

/** Each snapshot with the question whose SQL it holds. */
const questions: Readonly<Record<string, (eventStore: EventStore) => Promise<unknown>>> = {
	"bot-overview": (eventStore) => botStatistics({ eventStore }, "shop", range),
	"suspicious-sessions": (eventStore) => suspiciousSessions({ eventStore, clock }, "shop", { minScore: 50, limit: 20 }),
};

let open: TestStore;
before(async () => {
	open = await openTestStore();
	await migrateEvents(open.store);
});
after(() => open.remove());

for (const [name, ask] of Object.entries(questions)) {
	test(`the SQL of ${name} is the committed text`, async () => {
		const asked: EventQuery[] = [];
		await ask({
			...open.store,
			query: (query) => {
				asked.push(query);
				return open.store.query(query);
			},
		});
		const texts = asked.map(({ sql, params }) => {
			const values = Object.entries(params ?? {}).map(([key, value]) => `-- ${key} = ${JSON.stringify(value)}`);
			return [...values, `${sql};`].join("\n");
		});
		const actual = `${texts.join("\n\n")}\n`;
		const file = join(import.meta.dirname, "reports", `${name}.sql`);
		if (process.env.UPDATE_SNAPSHOTS === "1") writeFileSync(file, actual);
		assert.equal(actual, readFileSync(file, "utf8"));
	});
}
