import assert from "node:assert/strict";
import { test } from "node:test";
import { createSite, signIn } from "../../../../test/support/accounts.ts";
import { askToDelete, finishDeletions, removeFilesAtOnce } from "../../../../test/support/deletions.ts";
import { sendHit } from "../../../../test/support/hits.ts";
import { isSplit, testApp } from "../../../../test/support/test-app.ts";
import { createVirtualClock } from "../../../../test/support/test-clock.ts";
import { postgresSkip } from "../../../../test/support/test-schema.ts";
import { forgetAtCollectors } from "../../../composition/forgetting.ts";
import { collectorId } from "../../collecting/collector-progress/index.ts";
import { collectorsDone } from "./index.ts";

test("the collector finds in PostgreSQL what is to be forgotten", { skip: postgresSkip }, async () => {
	await using far = await testApp({ onPostgres: true });
	await removeFilesAtOnce(far);
	const bob = await signIn(far);
	const site = await createSite(far, bob);
	await sendHit(far, { site, url: "https://shop.example/?gclid=seen" });
	await far.collector?.flush();
	const { id } = await askToDelete(far, bob, site);
	await far.catchUp();
	assert.equal((await collectorsDone(far.metadata, id)).size, 1);
	await finishDeletions(far);
	const [left] = await far.eventStore.query<{ rows: number }>({ sql: "SELECT count() AS rows FROM events" });
	assert.equal(left?.rows, 0);
});

test("a deletion retried while the event store is away begins once at the collector", { skip: isSplit }, async () => {
	const store = Promise.withResolvers<void>();
	/** Inserts wait for it. */
	let held: Promise<void> | undefined;
	await using app = await testApp({
		wrapEventStore: (store) => ({
			...store,
			insert: async (rows) => {
				await held;
				return store.insert(rows);
			},
		}),
	});
	await removeFilesAtOnce(app);
	const ann = await signIn(app);
	const shop = await createSite(app, ann);
	const { collector } = app;
	assert.ok(collector);
	const clock = createVirtualClock("2026-11-19T12:00:00.000Z");
	let begun = 0;
	const forget = (...given: Parameters<typeof collector.forget>) => {
		begun++;
		return collector.forget(...given);
	};
	const collecting = { forget, progress: { id: await collectorId(app.config.dataDir) } };
	const collectors = forgetAtCollectors({ metadata: app.metadata, clock, collecting });
	const { id: deletionId } = await askToDelete(app, ann, shop);
	const deletion = { deletionId, site: { id: shop, timezone: "UTC" }, days: { from: null, to: null, until: 0 } };
	held = store.promise;
	await sendHit(app, { site: shop, url: "https://shop.example/" });
	for (let attempt = 0; attempt < 3; attempt++) {
		const answer = collectors(deletion);
		await clock.pass(15_000);
		assert.equal(await answer, false);
	}
	store.resolve();
	held = undefined;
	assert.equal(await collectors(deletion), true);
	assert.equal(begun, 1);
	assert.equal((await collectorsDone(app.metadata, deletionId)).size, 1);
});
