import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { insertRows, openOracleStore } from "../../../../test/support/oracle-app.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { writeAtomic } from "../../../platform/files/write-atomic.ts";
import { fileContent } from "./file-content.ts";
import { siteEvents } from "./site-events.ts";

const directory = mkdtempSync(join(tmpdir(), "footfall-file-content-"));
const day = Temporal.PlainDate.from("2026-11-19");
let eventStore: EventStore;
before(async () => {
	eventStore = await openOracleStore();
	const ts = Date.parse("2026-11-19T09:00:00.250Z");
	await insertRows(eventStore, [pageviewRow({ ts, site: "shop", date: "2026-11-19", hour: 9, path: "/a" })]);
});
after(async () => {
	await eventStore.close();
	rmSync(directory, { recursive: true, force: true });
});

const content = (format: "csv" | "ndjson" | "parquet") =>
	fileContent({ eventStore }, siteEvents("shop", { start: day, end: day }), format);

test("moments and days are ISO 8601 in texts", async () => {
	const csv = Buffer.concat(await Array.fromAsync(content("csv"))).toString();
	assert.match(csv.split("\r\n")[1] ?? "", /^2026-11-19T09:00:00\.250Z,2026-11-19,9,/);
	const row = JSON.parse(Buffer.concat(await Array.fromAsync(content("ndjson"))).toString());
	assert.deepEqual([row.timestamp, row.date, row.hour], ["2026-11-19T09:00:00.250Z", "2026-11-19", 9]);
});

test("moments, days and numbers are such in Parquet", async () => {
	const path = join(directory, "events.parquet");
	await writeAtomic(path, content("parquet"));
	const file = `file('${path}', 'Parquet')`;
	const columns = await eventStore.query<{ name: string; type: string }>({ sql: `DESCRIBE ${file}` });
	const types = Object.fromEntries(columns.map(({ name, type }) => [name, type]));
	assert.deepEqual(
		[types.timestamp, types.date, types.hour, types.path, types.revenue],
		["DateTime64(3, 'UTC')", "Date32", "Nullable(UInt8)", "String", "Decimal(18, 4)"],
	);
	const rows = await eventStore.query({ sql: `SELECT toUnixTimestamp64Milli(timestamp) AS ms, date FROM ${file}` });
	assert.deepEqual(rows, [{ ms: Date.parse("2026-11-19T09:00:00.250Z"), date: "2026-11-19" }]);
});
