import { existsSync } from "node:fs";
import { join } from "node:path";
import { openEventStore } from "../../platform/event-store/open-event-store.ts";
import { compareClocks } from "./examine-clock.ts";
import { codeOf, type Finding, findingsOf } from "./finding.ts";
import type { Examine, Patient } from "./patient.ts";

const events = findingsOf("event store");
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The event store: a server is asked itself, the embedded one by the service that has it open. */
export const examineEvents: Examine = async (patient) => {
	const { config, service } = patient;
	if (config.clickhouseUrl !== undefined) return examineServer(config.clickhouseUrl, patient);
	if (service !== undefined) return [];
	return existsSync(join(config.dataDir, "events"))
		? [events.note("The embedded event store is looked at while the service runs")]
		: [events.note("There is no event store in DATA_DIR yet", "The first start makes it: footfall start")];
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
		return [events.ok(`ClickHouse ${version} answers`), compareClocks("ClickHouse", Number(now), [before, after])];
	} catch (error) {
		const fix =
			"Start ClickHouse, or correct address, user or password in CLICKHOUSE_URL; hits are kept in the spool meanwhile";
		return [events.fault(`The server of CLICKHOUSE_URL cannot be used (${codeOf(error)})`, fix)];
	} finally {
		await store.close();
	}
}
