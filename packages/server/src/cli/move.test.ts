import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { sql } from "kysely";
import { migrateEvents } from "../../migrations/events/index.ts";
import { signIn } from "../../test/support/accounts.ts";
import { endWithWaitingHit, newDirectory } from "../../test/support/backups.ts";
import { clickHouseStandIn } from "../../test/support/clickhouse-stand-in.ts";
import { freePort } from "../../test/support/free-port.ts";
import { appOn, move, NOW } from "../../test/support/moving.ts";
import { storedPages } from "../../test/support/stored-pages.ts";
import { migratedSchema, postgresSkip, testSchema } from "../../test/support/test-schema.ts";
import { openMetadata } from "../platform/metadata/open-metadata.ts";

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const clickhouse = await clickHouseStandIn();
after(() => clickhouse.close());

test("unusable and filled targets are named, and nothing is written to them", { skip: postgresSkip }, async (t) => {
	const schema = await migratedSchema();
	t.after(() => schema.drop());
	const dataDir = newDirectory();
	await (await appOn(t, dataDir)).close();
	const refused = async (targets: Readonly<Record<string, string>>) => {
		const { code, error, out } = await move(dataDir, targets, "--check");
		assert.deepEqual([code, out], [1, ""], error);
		return error.split("\n").at(-2);
	};
	assert.equal(await refused({}), "Set the target in MOVE_DATABASE_URL, MOVE_CLICKHOUSE_URL, or both");
	const nobody = `127.0.0.1:${await freePort()}`;
	for (const [setting, url] of [
		["MOVE_DATABASE_URL", `postgres://ann:hunter2@${nobody}/x`],
		["MOVE_CLICKHOUSE_URL", `http://ann:hunter2@${nobody}/x`],
	] as const) {
		const line = new RegExp(`^${setting} cannot be used: (?!.*hunter2).*: target_unreachable$`);
		assert.match((await refused({ [setting]: url })) ?? "", line);
	}
	const filled = await appOn(t, newDirectory(), { env: { DATABASE_URL: schema.url } });
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

test("a wrong copy moves nothing; without a service spooled hits go along", { skip: postgresSkip }, async (t) => {
	await clickhouse.empty();
	const schema = await testSchema();
	t.after(() => schema.drop());
	const targets = { MOVE_DATABASE_URL: schema.url, MOVE_CLICKHOUSE_URL: clickhouse.url };
	const dataDir = newDirectory();
	const site = await endWithWaitingHit((options) => appOn(t, dataDir, options));
	assert.equal((await move(dataDir, targets, "--copy-only")).code, 0);
	const accounts = await openMetadata({ dataDir, databaseUrl: schema.url });
	t.after(() => accounts.destroy());
	await sql`create function spoil() returns trigger language plpgsql as $$ begin new.name := 'Bob'; return new; end $$`.execute(
		accounts,
	);
	await sql`create trigger spoil before insert on users for each row execute function spoil()`.execute(accounts);
	const spoilt = await move(dataDir, targets);
	assert.equal(spoilt.code, 1);
	assert.match(spoilt.error, /table users: 1 rows in place of 1, or other ones\nNothing has moved: differs\n$/);
	await sql`drop trigger spoil on users`.execute(accounts);
	clickhouse.server.garble((data) => Buffer.from(data.toString("latin1").replaceAll("/waiting", "/WAITING"), "latin1"));
	const garbled = await move(dataDir, targets);
	clickhouse.server.garble(undefined);
	assert.equal(garbled.code, 1);
	assert.ok(garbled.error.includes(`What was copied of events is not what was read: ${dayOf(NOW)}: differs`));
	assert.ok(!existsSync(join(dataDir, "stores.env")));
	const moved = await move(dataDir, targets);
	assert.match(moved.out, /Start the service: it uses the new stores\n$/, moved.error);
	const there = await appOn(t, dataDir, { env: { DATABASE_URL: schema.url, CLICKHOUSE_URL: clickhouse.url } });
	assert.deepEqual(Object.fromEntries(await storedPages(there, site)), { "/stored": 1, "/waiting": 1 });
	assert.equal((await move(dataDir, targets)).out, "Nothing to move: all data is on servers already\n");
});
