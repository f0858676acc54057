// Constants of the capacity plan that no other bench measures: cost of visits in Redis, cost of an insert by its size,
// bytes of a hit on the wire and of a row in transit. `npm run bench:capacity:measure`
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildRequests } from "../support/hits.ts";
import { describeMachine } from "../support/machine.ts";
import { measureInserts } from "./measure-inserts.ts";
import { measureVisits } from "./measure-visits.ts";

const row = (label: string, value: string) => console.log(`${label.padEnd(60)} ${value}`);
const one = (value: number) => value.toFixed(1);

row("machine", describeMachine());
const target = { host: "stats.shop.example", siteId: "x".repeat(24), token: "x".repeat(58) };
const sample = buildRequests(target, 20_000, 5_000);
row("bytes of a hit on the line", one(sample.reduce((sum, { length }) => sum + length, 0) / sample.length));

const visits = await measureVisits();
row("a hit's visit in memory, us of the collector", one(visits.memory));
row("a hit's visit in Redis, us of the collector", one(visits.collector));
row("a hit's visit in Redis, us of Redis", one(visits.redis));
row("bytes of Redis a running visit, a click id", `${one(visits.visit)}, ${one(visits.clickId)}`);

const dataDir = await mkdtemp(join(tmpdir(), "footfall-bench-capacity-"));
try {
	const { found, bytes } = await measureInserts(dataDir);
	row("bytes of a row on its way to the store", one(bytes));
	for (const { rows, insert, merged, written } of found) {
		row(`an insert of ${rows} rows, us of the store`, `${one(insert)}, with the merges that follow ${one(merged)}`);
		row("  bytes written a row, with merges", one(written / rows));
	}
	const [small, , large] = found;
	if (small !== undefined && large !== undefined) {
		const perRow = (large.merged - small.merged) / (large.rows - small.rows);
		row("so an insert costs, us", `${one(small.merged - perRow * small.rows)} and ${one(perRow)} a row`);
	}
} finally {
	await rm(dataDir, { recursive: true, force: true });
}
