import { seedSite } from "../../src/features/collecting/seed/index.ts";
import { readSiteFacts } from "../../src/features/tenancy/sites/index.ts";
import type { TestApp } from "./test-app.ts";

/** Fills a site with the same visits in each run, up to the moment of the service's clock. */
export async function fillWithDemo(
	{ metadata, eventStore, clock }: TestApp,
	{ id, days, rows }: { readonly id: string; readonly days: number; readonly rows: number },
): Promise<void> {
	const site = (await readSiteFacts(metadata, [id])).get(id);
	if (site === undefined) throw new Error(`There is no site ${id}`);
	const today = Temporal.Instant.fromEpochMilliseconds(clock.now()).toZonedDateTimeISO(site.timezone).toPlainDate();
	const end = today.add({ days: 1 }).toZonedDateTime({ timeZone: site.timezone }).epochMilliseconds;
	await seedSite(eventStore, { site, rows, days, seed: 1, end, cut: clock.now(), wild: false });
}
