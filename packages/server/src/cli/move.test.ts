import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { sql } from "kysely";
import { migrateEvents } from "../../migrations/events/index.ts";
import { createSite, signIn } from "../../test/support/accounts.ts";
import { type ClickHouseStandIn, clickHouseStandIn } from "../../test/support/clickhouse-stand-in.ts";
import { freePort } from "../../test/support/free-port.ts";
import { sendHit, sendHits } from "../../test/support/hits.ts";
import { appOn, move, NOW } from "../../test/support/moving.ts";
import { storedPages } from "../../test/support/stored-pages.ts";
import { migratedSchema, postgresSkip, testSchema } from "../../test/support/test-schema.ts";

import { ServiceError } from "../platform/errors/service-error.ts";
import { openMetadata } from "../platform/metadata/open-metadata.ts";

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
let root: string;
let clickhouse: ClickHouseStandIn;
before(async () => {
	root = mkdtempSync(join(tmpdir(), "footfall-move-"));
	clickhouse = await clickHouseStandIn();
});
after(async () => {
	await clickhouse.close();
	rmSync(root, { recursive: true, force: true });
});

test("targets that cannot be used, or hold something already, are named, and nothing is written to them", {
	skip: postgresSkip,
}, async (t) => {
	const schema = await migratedSchema();
	t.after(() => schema.drop());
	const dataDir = join(root, "refused");
	await (await appOn(t, dataDir)).close();
	const refused = async (targets: Readonly<Record<string, string>>) => {
		const { code, error, out } = await move(dataDir, targets, "--check");
		assert.deepEqual([code, out], [1, ""], error);
		return error.split("\n").at(-2);
	};
	assert.equal(await refused({}), "Set the target in MOVE_DATABASE_URL, MOVE_CLICKHOUSE_URL, or both");
	const nobody = `127.0.0.1:${await freePort()}`;
	assert.match(
		(await refused({ MOVE_DATABASE_URL: `postgres://ann:hunter2@${nobody}/x` })) ?? "",
		/^MOVE_DATABASE_URL cannot be used: (?!.*hunter2).*: target_unreachable$/,
	);
	assert.match(
		(await refused({ MOVE_CLICKHOUSE_URL: `http://ann:hunter2@${nobody}/x` })) ?? "",
		/^MOVE_CLICKHOUSE_URL cannot be used: (?!.*hunter2).*: target_unreachable$/,
	);
	const filled = await appOn(t, join(root, "filled"), { env: { DATABASE_URL: schema.url } });
	await signIn(filled);
	await filled.close();
	assert.match(
		(await refused({ MOVE_DATABASE_URL: schema.url })) ?? "",
		/^The database of MOVE_DATABASE_URL holds accounts already \(.*\): name an empty one: target_not_empty$/,
	);
	assert.deepEqual(await clickhouse.store.query({ sql: "SHOW TABLES" }), []);
	await migrateEvents(clickhouse.store);
	await clickhouse.store.command("INSERT INTO events (site, date) VALUES ('other', '2026-01-01')");
	assert.equal(
		await refused({ MOVE_CLICKHOUSE_URL: clickhouse.url }),
		"The database of MOVE_CLICKHOUSE_URL holds events already (events): name an empty one: target_not_empty",
	);
});

test("what is copied wrongly is found and named, and nothing has moved; without a service, too, hits in the spool go along", {
	skip: postgresSkip,
}, async (t) => {
	await clickhouse.empty();
	const schema = await testSchema();
	t.after(() => schema.drop());
	const targets = { MOVE_DATABASE_URL: schema.url, MOVE_CLICKHOUSE_URL: clickhouse.url };
	const dataDir = join(root, "alone");
	let isAway = false;
	const app = await appOn(t, dataDir, {
		wrapEventStore: (store) => ({
			...store,
			insert: async (rows) => {
				if (isAway) throw new ServiceError("database_unavailable");
				return store.insert(rows);
			},
		}),
	});
	const site = await createSite(app, await signIn(app));
	await sendHits(app, [{ site, url: "https://shop.example/stored" }]);
	isAway = true;
	assert.equal(await sendHit(app, { site, url: "https://shop.example/waiting" }), 204);
	await app.close();
	assert.equal((await move(dataDir, targets, "--copy-only")).code, 0);
	const accounts = await openMetadata({ dataDir, databaseUrl: schema.url });
	t.after(() => accounts.destroy());
	await sql`create function spoil() returns trigger language plpgsql as $$ begin new.name := 'Bob'; return new; end $$`.execute(
		accounts,
	);
	await sql`create trigger spoil before insert on users for each row execute function spoil()`.execute(accounts);
	const spoilt = await move(dataDir, targets);
	assert.deepEqual(
		[spoilt.code, /table users: 1 rows in place of 1, or other ones\nNothing has moved: differs\n$/.test(spoilt.error)],
		[1, true],
		spoilt.error,
	);
	await sql`drop trigger spoil on users`.execute(accounts);
	clickhouse.server.garble((data) => Buffer.from(data.toString("latin1").replaceAll("/waiting", "/WAITING"), "latin1"));
	const garbled = await move(dataDir, targets);
	clickhouse.server.garble(undefined);
	assert.deepEqual(
		[garbled.code, garbled.error.includes(`What was copied of events is not what was read: ${dayOf(NOW)}: differs`)],
		[1, true],
		garbled.error,
	);
	assert.ok(!existsSync(join(dataDir, "stores.env")));
	const moved = await move(dataDir, targets);
	assert.match(moved.out, /Start the service: it uses the new stores\n$/, moved.error);
	const there = await appOn(t, dataDir, { env: { DATABASE_URL: schema.url, CLICKHOUSE_URL: clickhouse.url } });
	assert.deepEqual(Object.fromEntries(await storedPages(there, site)), { "/stored": 1, "/waiting": 1 });
	assert.equal((await move(dataDir, targets)).out, "Nothing to move: all data is on servers already\n");
});
