import { after, before, test } from "node:test";
import { migrateEvents } from "../../migrations/events/index.ts";
import { botStatistics } from "../../src/analytics/query/reports/bot-statistics.ts";
import { suspiciousSessions } from "../../src/analytics/query/reports/suspicious-sessions.ts";
import type { EventStore } from "../../src/platform/event-store/event-store.ts";
import { systemClock } from "../../src/platform/lib/clock.ts";
import { assertSnapshot, recordingStore } from "../support/sql-snapshots.ts";
import { openTestStore, type TestStore } from "../support/test-store.ts";

const clock = { ...systemClock, now: () => Date.parse("2026-11-21T12:00:00.000Z") };
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
		const recorder = recordingStore(open.store);
		await ask(recorder.store);
		await assertSnapshot(open.store, { name, title: name, queries: recorder.taken() });
	});
}
