import {
	ACTIVE_MINUTES,
	type LiveFigures,
	type LiveHit,
	type LiveRow,
} from "../../../analytics/query/reports/live-figures.ts";

const moment = (ms: number): string => new Date(ms).toISOString();

const rows = <Name extends string>(name: Name, list: readonly LiveRow[]) =>
	list.map(({ label, visits }) => ({ [name]: label, active_visits: visits }) as Record<Name, string> & Visits);

interface Visits {
	active_visits: number;
}

/** The figures of a moment. */
export const presentFigures = (figures: LiveFigures) => ({
	now: { active_visits: figures.activeVisits, window_minutes: ACTIVE_MINUTES },
	minutes: figures.minutes.map(({ at, pageViews, entrances }) => ({
		at: moment(at),
		page_views: pageViews,
		entrances,
	})),
	pages: rows("path", figures.pages),
	sources: rows("source", figures.sources),
	countries: rows("country", figures.countries),
	devices: rows("device", figures.devices),
});

/** One hit, without whose it is. */
export const presentHit = ({ at, kind, path, country, device, source, eventType, amount }: LiveHit) => ({
	at: moment(at),
	kind,
	path,
	country,
	device,
	source,
	...(kind !== "pageview" && { event_type: eventType }),
	...(kind === "conversion" && { amount }),
});
