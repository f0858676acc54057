import { DAY_MS, HOUR_MS } from "../../platform/lib/durations.ts";
import { LruMap } from "../../platform/lib/lru-map.ts";
import { utcDay } from "../../platform/lib/timestamp.ts";

/** The day and hour to which a site books an instant. */
export interface LocalHour {
	/** `YYYY-MM-DD` in the site's zone. */
	readonly date: string;
	/** 0-23 in the site's zone. */
	readonly hour: number;
}

/** A stretch of time during which a zone keeps one offset, and the last day that was asked for. */
interface Stretch {
	/** First millisecond of the stretch. */
	readonly from: number;
	/** First millisecond after it. */
	readonly until: number;
	/** Local minus UTC, in milliseconds. */
	readonly offset: number;
	day: number;
	date: string;
}

const stretches = new LruMap<string, Stretch>(2000);

/**
 * Local day and hour of an instant (milliseconds since the Unix epoch) in an IANA zone, daylight saving included.
 * Throws a RangeError for a zone that does not exist.
 */
export function localHour(zone: string, instant: number): LocalHour {
	let stretch = stretches.get(zone);
	if (stretch === undefined || instant < stretch.from || instant >= stretch.until) {
		stretch = stretchAt(zone, instant);
		stretches.set(zone, stretch);
	}
	const local = instant + stretch.offset;
	const day = Math.floor(local / DAY_MS);
	if (day !== stretch.day) {
		stretch.day = day;
		stretch.date = utcDay(day * DAY_MS);
	}
	return { date: stretch.date, hour: Math.floor((local - day * DAY_MS) / HOUR_MS) };
}

function stretchAt(zone: string, instant: number): Stretch {
	const at = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
	// "previous" means strictly before: asked a nanosecond later, a transition at this very instant is found too.
	const previous = at.add({ nanoseconds: 1 }).getTimeZoneTransition("previous");
	const next = at.getTimeZoneTransition("next");
	return {
		from: previous?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
		until: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
		offset: at.offsetNanoseconds / 1e6,
		day: Number.NaN,
		date: "",
	};
}
