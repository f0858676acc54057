import { existsSync } from "node:fs";
import { join } from "node:path";
import type { EventStore } from "../../platform/event-store/event-store.ts";
import { openEventStore } from "../../platform/event-store/open-event-store.ts";
import type { Examine, Patient } from "./finding.ts";
import { codeOf, compareClocks, type Finding, findingsOf } from "./finding.ts";

const events = findingsOf("event store");
const GIB = 1024 ** 3;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The event store: a server is asked itself, the embedded one by the service that has it open. */
export const examineEvents: Examine = async (patient) => {
	const { config, service } = patient;
	if (config.clickhouseUrl !== undefined) return examineServer(config.clickhouseUrl, patient);
	if (service !== undefined) return [];
	return existsSync(join(config.dataDir, "events"))
		? [events.note("The embedded event store is checked only while the service is running")]
		: [events.note("No event store in DATA_DIR yet", "It is created at the first start: footfall start")];
};

async function examineServer(clickhouseUrl: string, { config, clock }: Patient): Promise<Finding[]> {
	const store = await openEventStore({ dataDir: config.dataDir, clickhouseUrl, log: silent });
	try {
		const before = clock.now();
		const [row] = await store.query<{ version: string; now: number }>({
			sql: "SELECT version() AS version, toUnixTimestamp64Milli(now64(3)) AS now",
		});
		const after = clock.now();
		const { version = "", now = before } = row ?? {};
		return [
			events.ok(`ClickHouse ${version} answers`),
			compareClocks("ClickHouse", Number(now), [before, after]),
			// Its user may not be allowed to see these tables.
			...(await examineOwnLogs(store).catch(() => [])),
		];
	} catch (error) {
		const fix =
			"Start ClickHouse, or correct the address, user or password in CLICKHOUSE_URL; until then hits stay in the spool";
		return [events.fault(`The server of CLICKHOUSE_URL cannot be used (${codeOf(error)})`, fix)];
	} finally {
		await store.close();
	}
}

/** The tables in which a server logs itself, which grow without end by default. */
async function examineOwnLogs(store: Pick<EventStore, "query">): Promise<Finding[]> {
	const tables = await store.query<{ name: string; bytes: number; ends: number }>({
		sql: `SELECT name, toUInt64(ifNull(total_bytes, 0)) AS bytes, position(create_table_query, ' TTL ') > 0 AS ends
			FROM system.tables WHERE database = 'system' AND engine LIKE '%MergeTree' AND match(name, '_log(_[0-9]+)?$') ORDER BY name`,
	});
	const endless = tables.filter(({ ends }) => ends === 0);
	if (endless.length === 0) return [];
	const size = (endless.reduce((sum, { bytes }) => sum + bytes, 0) / GIB).toFixed(1);
	const names = endless.map(({ name }) => name).join(", ");
	const fix = "Set a TTL or disable them: docs/operations.md, The logs of a ClickHouse server";
	return [events.warning(`System tables of ClickHouse grow without a TTL, now ${size} GiB: ${names}`, fix)];
}
