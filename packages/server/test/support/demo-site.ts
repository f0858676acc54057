import { seedSite } from "../../src/features/collecting/seed/index.ts";
import { readSiteFacts } from "../../src/features/tenancy/sites/index.ts";
import type { EventStore } from "../../src/platform/event-store/event-store.ts";
import type { TestApp } from "./test-app.ts";

const TABLES = ["events", "bot_hits"];
/** Database of the copies: an engine that serves one app after the other is emptied in between, but for this. */
const COPIES = "demo";

/**
 * Fills a site with the same visits in each run, up to the moment of the service's clock. An engine makes the same ones once
 * and copies them for the apps to come.
 */
export async function fillWithDemo(
	{ metadata, eventStore, clock }: TestApp,
	{ id, days, rows }: { readonly id: string; readonly days: number; readonly rows: number },
): Promise<void> {
	const site = (await readSiteFacts(metadata, [id])).get(id);
	if (site === undefined) throw new Error(`There is no site ${id}`);
	const copy = [id, days, rows, site.timezone, clock.now()].join("_").replaceAll(/\W/g, "_");
	if (await isThere(eventStore, copy)) {
		for (const table of TABLES) await copyRows(eventStore, `${COPIES}.${copy}_${table}`, table);
		return;
	}
	const today = Temporal.Instant.fromEpochMilliseconds(clock.now()).toZonedDateTimeISO(site.timezone).toPlainDate();
	const end = today.add({ days: 1 }).toZonedDateTime({ timeZone: site.timezone }).epochMilliseconds;
	await seedSite(eventStore, { site, rows, days, seed: 1, end, cut: clock.now(), wild: false });
	await eventStore.command(`CREATE DATABASE IF NOT EXISTS ${COPIES}`);
	for (const table of TABLES) {
		const name = `${COPIES}.${copy}_${table}`;
		await eventStore.command(`CREATE TABLE ${name} AS ${table}`);
		await copyRows(eventStore, table, name);
	}
}

async function isThere(store: EventStore, copy: string): Promise<boolean> {
	const [found] = await store.query<{ tables: number }>({
		sql: `SELECT count() AS tables FROM system.tables WHERE database = '${COPIES}' AND name LIKE '${copy}_%'`,
	});
	return Number(found?.tables) === TABLES.length;
}

const copyRows = (store: EventStore, from: string, to: string) =>
	store.command(`ALTER TABLE ${to} ATTACH PARTITION ALL FROM ${from}`);
