import { randomInt } from "node:crypto";
import { seedSite } from "../features/collecting/seed/index.ts";
import { readSiteFacts, type SiteFacts } from "../features/tenancy/sites/index.ts";
import { ConfigError } from "../platform/config/config.ts";
import type { EventStore } from "../platform/event-store/event-store.ts";
import { systemClock } from "../platform/lib/clock.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import { plainDate, wholeNumber } from "./arguments.ts";
import type { DefineCommand } from "./print-records.ts";
import { withStores } from "./with-stores.ts";

interface SeedCommandOptions {
	readonly site: string;
	readonly rows: number;
	readonly days: number;
	readonly seed?: number;
	readonly until?: Temporal.PlainDate;
	readonly wild?: true;
	readonly append?: true;
}

/** Two years: as far back as reports reach. */
const MAX_DAYS = 730;

/** `footfall seed` */
export const define: DefineCommand = (command) => {
	command
		.requiredOption("--site <id>", "site to fill; create one with `footfall sites create`")
		.option("--rows <n>", "number of rows, about 3.4 a visit", wholeNumber(1, 1e9), 100_000)
		.option("--days <n>", "number of days", wholeNumber(1, MAX_DAYS), 90)
		.option("--seed <n>", "seed of the random data; default: 1", wholeNumber(0, Number.MAX_SAFE_INTEGER))
		.option("--until <date>", "day after the last one; default: now", plainDate)
		.option("--wild", "200,000 pages and 50,000 campaigns instead of some hundred")
		.option("--append", "add to a site with data; different data each time, unless --seed is given")
		.action(runSeed);
};

async function runSeed(options: SeedCommandOptions): Promise<void> {
	await withStores(async ({ metadata, eventStore }) => {
		const site = await readSite(metadata, options.site);
		if (options.append !== true) await refuseFilled(eventStore, site);
		await fill(eventStore, site, options);
	});
}

async function fill(store: EventStore, site: SiteFacts, options: SeedCommandOptions): Promise<void> {
	const began = systemClock.monotonic();
	const { rows, days, append } = options;
	const seed = options.seed ?? (append === true ? randomInt(2 ** 47) : 1);
	const { end, cut } = periodOf(options.until, site.timezone);
	const before = await countRows(store, site);
	const result = await seedSite(store, { site, rows, days, seed, end, cut, wild: options.wild === true });
	const added = (await countRows(store, site)) - before;
	if (added === 0) throw new ConfigError("These rows exist already: use another --seed");
	const seconds = (systemClock.monotonic() - began) / 1000;
	const speed = Math.round(added / seconds).toLocaleString("en");
	process.stdout.write(
		`${added.toLocaleString("en")} rows over ${days} days in ${seconds.toFixed(1)} s (${speed} a second): ` +
			`${result.conversions.toLocaleString("en")} conversions, ${result.revenue.toFixed(2)} revenue, ` +
			`${result.botHits.toLocaleString("en")} bot hits in addition.\n`,
	);
}

/** Whole days up to midnight, and where the last of them is cut off: visits that begin now would end in the future. */
function periodOf(until: Temporal.PlainDate | undefined, timeZone: string) {
	if (until !== undefined) {
		const end = startOfDay(until, timeZone);
		return { end, cut: end };
	}
	const now = Temporal.Instant.fromEpochMilliseconds(systemClock.now())
		.toZonedDateTimeISO(timeZone)
		.subtract({ minutes: 30 });
	const midnight = startOfDay(now.toPlainDate().add({ days: 1 }), timeZone);
	return { end: midnight, cut: now.epochMilliseconds };
}

async function countRows(store: EventStore, site: SiteFacts): Promise<number> {
	const [row] = await store.query<{ n: number }>({
		sql: "SELECT count() AS n FROM events WHERE site = {site:String}",
		params: { site: site.id },
	});
	return row?.n ?? 0;
}

async function readSite(metadata: Metadata, id: string): Promise<SiteFacts> {
	const site = (await readSiteFacts(metadata, [id])).get(id);
	if (site === undefined) throw new ConfigError(`There is no site ${id}; \`footfall sites list\` shows all`);
	return site;
}

async function refuseFilled(store: EventStore, site: SiteFacts): Promise<void> {
	const found = await store.query({
		sql: "SELECT 1 FROM events WHERE site = {site:String} LIMIT 1",
		params: { site: site.id },
	});
	if (found.length > 0) throw new ConfigError(`Site ${site.id} has data already; use --append to add to it`);
}

const startOfDay = (date: Temporal.PlainDate, timeZone: string) => date.toZonedDateTime({ timeZone }).epochMilliseconds;
