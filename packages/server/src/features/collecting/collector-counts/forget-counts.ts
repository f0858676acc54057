import { localHour } from "../../../analytics/model/site-clock.ts";
import { HOUR_MS, MINUTE_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { coversHit, type ForgottenDays, type SiteFacts } from "../../tenancy/sites/index.ts";
import type { HourCounts } from "../collect/index.ts";
import { selectHours, upsertHours } from "./store.ts";

/** Forgets what was counted of a site on deleted days, also of processes that have ended. Collectors at work have forgotten it before. */
export async function forgetCounts(
	{ metadata }: { readonly metadata: Metadata },
	{ site, days }: { readonly site: Pick<SiteFacts, "id" | "timezone">; readonly days: ForgottenDays },
): Promise<boolean> {
	const rows = await selectHours(metadata, site.id, 0);
	const kept = rows.map((row) => {
		const isKept = (minute: string) => {
			const at = row.hour * HOUR_MS + Number(minute) * MINUTE_MS;
			return !coversHit(days, localHour(site.timezone, at).date, at);
		};
		return { ...row, counts: only(row.counts, isKept) };
	});
	await upsertHours(metadata, kept);
	return true;
}

function only({ accepted, rejected, origins }: HourCounts, isKept: (minute: string) => boolean): HourCounts {
	const some = (byMinute: Readonly<Record<number, number>> = {}) =>
		Object.fromEntries(Object.entries(byMinute).filter(([minute]) => isKept(minute)));
	return {
		accepted: some(accepted),
		rejected: mapped(rejected, some),
		origins: mapped(origins, (ofReason) => withoutEmpty(mapped(ofReason ?? {}, some))),
	};
}

const mapped = <From, To>(of: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> =>
	Object.fromEntries(Object.entries(of).map(([name, value]) => [name, change(value)]));

/** Names of pages on which nothing is left are not kept either. */
const withoutEmpty = <Value extends object>(of: Record<string, Value>): Record<string, Value> =>
	Object.fromEntries(Object.entries(of).filter(([, value]) => Object.keys(value).length > 0));
