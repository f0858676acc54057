import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { migrateEvents } from "../../packages/server/migrations/events/index.ts";
import { eventColumns } from "../../packages/server/src/analytics/model/event-columns.ts";
import { seedSite } from "../../packages/server/src/features/collecting/seed/index.ts";
import type { EventInsert, EventStore } from "../../packages/server/src/platform/event-store/event-store.ts";
import { openEventStore } from "../../packages/server/src/platform/event-store/open-event-store.ts";
import { cpuMicroseconds } from "../support/process-figures.ts";

const site = {
	id: "bench",
	organizationId: "bench",
	name: "",
	timezone: "Europe/Madrid",
	currency: "EUR",
	isActive: true,
	botThreshold: 80,
	automaticEvents: [],
	goals: [],
	domains: ["shop.example"],
	utmMappings: [],
	blockedAddresses: undefined,
	forgottenVisits: [],
	lifetimeEventLimit: null,
};
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
/** Rows of an insert, and how many inserts of that size. */
const SIZES = [
	[300, 40],
	[3_000, 40],
	[30_000, 8],
] as const;
/** Merges have ended when none was seen for so long. */
const QUIET_MS = 2_000;

/** Rows of a day of a site as the loader sends them, a line each. */
async function seededLines(store: EventStore, rows: number): Promise<string[]> {
	const lines: string[] = [];
	const keep = async ({ table, tsv }: EventInsert) => {
		if (table === "events")
			lines.push(
				...Buffer.from(tsv)
					.toString()
					.split(/(?<=\n)/),
			);
	};
	await seedSite(
		{ ...store, insert: keep },
		{ site, rows, days: 1, seed: 1, end: Date.UTC(2026, 10, 23), wild: false },
	);
	return lines;
}

async function mergesEnded(store: EventStore): Promise<void> {
	const merging = async () =>
		(await store.query<{ merging: number }>({ sql: "SELECT count() AS merging FROM system.merges" }))[0]?.merging ?? 0;
	for (let quietSince = performance.now(); performance.now() - quietSince < QUIET_MS; await pause(100)) {
		if ((await merging()) > 0) quietSince = performance.now();
	}
}

/** Bytes that a process had the system write to disk. */
function bytesWritten(pid: number): number {
	return Number(/^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, "latin1"))?.[1] ?? 0);
}

/** Cost of inserts of several sizes in the embedded store, including the resulting merges. */
export async function measureInserts(dataDir: string) {
	const store = await openEventStore({ dataDir, log: silent });
	try {
		await migrateEvents(store);
		const lines = await seededLines(
			store,
			SIZES.reduce((sum, [rows, times]) => sum + rows * times, 0),
		);
		const pid = store.storePid() ?? 0;
		let at = 0;
		const found = [];
		for (const [rows, times] of SIZES) {
			await mergesEnded(store);
			const before = { cpu: cpuMicroseconds(pid), written: bytesWritten(pid) };
			for (let time = 0; time < times; time++, at += rows) {
				await store.insert({
					table: "events",
					columns: Object.keys(eventColumns),
					tsv: Buffer.from(lines.slice(at, at + rows).join("")),
					deduplicationToken: `bench-${at}`,
				});
			}
			const inserted = cpuMicroseconds(pid);
			await mergesEnded(store);
			found.push({
				rows,
				insert: (inserted - before.cpu) / times,
				merged: (cpuMicroseconds(pid) - before.cpu) / times,
				written: (bytesWritten(pid) - before.written) / times,
			});
		}
		const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0) / lines.length;
		return { found, bytes };
	} finally {
		await store.close();
	}
}
