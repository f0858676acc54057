import type { Dimension } from "../../src/analytics/catalog/dimensions.ts";
import type { Metric } from "../../src/analytics/catalog/metrics.ts";
import type { EventKind } from "../../src/analytics/model/event-columns.ts";
import type { EventRow } from "../../src/analytics/model/event-row.ts";
import { pageviewRow } from "./event-rows.ts";

/** One row of the events, under the names of the answers; money in ten-thousandths. */
export interface Fact {
	readonly site: string;
	readonly at: number;
	readonly date: string;
	readonly hour: number;
	readonly session: string;
	readonly kind: EventKind;
	readonly labels: Labels;
	readonly clid: string;
	readonly event_type: string;
	readonly properties: Readonly<Record<string, string>>;
	readonly rejoined: boolean;
	readonly counts: Counts;
	/** Of a fact that was imported, and may stand for many. */
	readonly imported?: { readonly id: string; readonly visitors: number };
}

/** A label that reports group and filter by: every dimension but those of time. */
export type Label = Exclude<Dimension, "date" | "hour" | "day_of_week">;

/** The texts of a fact that reports group and filter by. */
export type Labels = Readonly<Record<Exclude<Label, "conversion_type" | "device_type">, string>> & {
	readonly device_type: "desktop" | "mobile" | "tablet";
};

/** Contribution of a fact to the metrics; revenue in ten-thousandths. */
export type Counts = Readonly<Record<Exclude<Metric, "visitors" | "paid_conversions">, number>>;

const none: Counts = {
	...{ entrances: 0, engaged_entrances: 0, page_views: 0, microconversions: 0, conversions: 0, revenue: 0 },
	visit_seconds: 0,
};

export function counts(some: Partial<Counts>): Counts {
	return { ...none, ...some };
}

/** Day and hour that a clock on the site's wall shows, by the platform's calendar data. */
export function wallClock(at: number, timezone: string): { date: string; hour: number } {
	const shown = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", hourCycle: "h23" } as const;
	const parts = new Intl.DateTimeFormat("en-CA", { timeZone: timezone, ...shown }).formatToParts(at);
	const part = (type: string) => parts.find((candidate) => candidate.type === type)?.value ?? "";
	return { date: `${part("year")}-${part("month")}-${part("day")}`, hour: Number(part("hour")) };
}

/** The row that the collector would write for a fact. */
export function factToRow(fact: Fact): EventRow {
	const { site, date, hour, session, kind, labels, clid, event_type, properties, counts: added, imported } = fact;
	const { utm_source, utm_medium, utm_campaign, utm_term, utm_content, country, browser, os } = labels;
	return pageviewRow({
		...{ site, date, hour, ts: fact.at, session, kind, clid, event_type, properties },
		...{ utm_source, utm_medium, utm_campaign, utm_term, utm_content, country, browser, os },
		...{ path: labels.path, content_group: labels.content_grouping, referrer: labels.referrer_domain },
		...{ landing_path: labels.landing_page, landing_group: labels.landing_content_grouping },
		...{ device: labels.device_type, channel: labels.channel_group },
		...{ entrance: added.entrances, rejoined: fact.rejoined ? 1 : 0, engaged: added.engaged_entrances },
		...{ page_view: added.page_views, conversion: added.conversions, microconversion: added.microconversions },
		...{ amount: added.revenue / 10_000, revenue: added.revenue / 10_000, visit_seconds: added.visit_seconds },
		...{ import_id: imported?.id ?? "", visitor: imported?.visitors ?? 0 },
	});
}
