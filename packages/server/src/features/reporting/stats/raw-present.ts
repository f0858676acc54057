import type { RawEvent } from "../../../analytics/query/reports/raw-events.ts";
import { HOUR_MS, MINUTE_MS } from "../../../platform/lib/durations.ts";

const QUARTER_MS = 900_000;

/** Offset of a zone at an instant, in ms; remembered by quarter of an hour, as no zone changes its offset in between. */
function offsetsOf(zone: string): (at: number) => number {
	const known = new Map<number, number>();
	return (at) => {
		const quarter = Math.floor(at / QUARTER_MS);
		const found = known.get(quarter);
		if (found !== undefined) return found;
		const offset = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6;
		known.set(quarter, offset);
		return offset;
	};
}

function localText(at: number, offset: number): string {
	const minutes = Math.round(Math.abs(offset) / MINUTE_MS);
	const two = (value: number) => String(value).padStart(2, "0");
	const sign = offset < 0 ? "-" : "+";
	const local = new Date(at + offset).toISOString().slice(0, -1);
	return `${local}${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** An instant on the site's clock. A site that has moved to another zone keeps the hours of its earlier rows. */
function localTime(event: RawEvent, offsetAt: (at: number) => number): string {
	const offset = offsetAt(event.at);
	const now = Math.floor((event.at + offset) / HOUR_MS) * HOUR_MS;
	const booked = Date.parse(`${event.date}T00:00:00Z`) + event.hour * HOUR_MS;
	return localText(event.at, offset + booked - now);
}

const labels = (event: RawEvent) => ({
	country: event.country,
	device_type: event.device_type,
	channel_group: event.channel_group,
	utm_source: event.utm_source,
	utm_medium: event.utm_medium,
	utm_campaign: event.utm_campaign,
	utm_term: event.utm_term,
	utm_content: event.utm_content,
});

/** Makes rows of microconversions for a site in a time zone. */
export function rawMicroconversions(timezone: string) {
	const offsetAt = offsetsOf(timezone);
	return (event: RawEvent) => ({
		date: event.date,
		hour: event.hour,
		timestamp_utc: new Date(event.at).toISOString(),
		timestamp_local: localTime(event, offsetAt),
		conversion_type: event.conversion_type,
		...labels(event),
		landing_page: event.landing_page,
		browser: event.browser,
		os: event.os,
		properties: event.properties,
	});
}

/** Makes rows of items for a site in a time zone. */
export function rawItems(timezone: string) {
	const present = rawMicroconversions(timezone);
	return (event: RawEvent) => ({ ...present(event), clid: event.clid });
}

/** Makes rows of conversions for a site in a time zone. */
export function rawConversions(timezone: string) {
	const present = rawItems(timezone);
	return (event: RawEvent) => {
		const row = present(event);
		return { timestamp: row.timestamp_utc, ...row, amount: event.amount };
	};
}
