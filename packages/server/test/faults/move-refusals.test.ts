import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { migrateEvents } from "../../migrations/events/index.ts";
import { signIn } from "../support/accounts.ts";
import { type ClickHouseStandIn, clickHouseStandIn } from "../support/clickhouse-stand-in.ts";
import { freePort } from "../support/free-port.ts";
import { appOn, move } from "../support/moving.ts";
import { migratedSchema, postgresSkip } from "../support/test-schema.ts";

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
	assert.equal(await refused({}), "Name where to move to in MOVE_DATABASE_URL, MOVE_CLICKHOUSE_URL, or both");
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
