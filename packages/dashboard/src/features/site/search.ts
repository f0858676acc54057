import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { isShared } from "../../api/shared.ts";
import { addDays, isDay, todayIn } from "../../lib/days.ts";
import { parseFilter } from "./parse-filter.ts";
import type { Site } from "./queries.ts";
import { givenLook, mayFilterBy } from "./shared-reading.ts";

/** The panel in the address: `panel=rule:12` has the kind `rule` and the id `12`. */
export function usePanel() {
	const { panel = "" } = useSiteSearch();
	const change = useChangeSearch();
	const at = panel.indexOf(":");
	return {
		kind: at < 0 ? panel : panel.slice(0, at),
		id: at < 0 ? "" : panel.slice(at + 1),
		open: (kind: string, id?: number | string) => change({ panel: id === undefined ? kind : `${kind}:${id}` }),
		close: () => change({ panel: undefined }),
	};
}

/** Periods that the server resolves in the site's time zone. */
export const periods = [
	"today",
	"yesterday",
	"7d",
	"30d",
	"90d",
	"12m",
	"this_week",
	"last_week",
	"this_month",
	"last_month",
	"this_quarter",
	"last_quarter",
	"this_year",
	"last_year",
] as const;
export type Period = (typeof periods)[number];
/** The longest range that the reports take. */
export const longestRange = 730;
/** Comparison periods; `none` for no comparison. */
export const comparisons = ["previous", "yoy", "yoy_weekday", "custom", "none"] as const;
export type Comparison = (typeof comparisons)[number];
export const steps = ["auto", "hourly", "daily", "weekly", "monthly"] as const;

/** The selection in the address of each screen of a site. Absent parts have defaults. */
export interface SiteSearch {
	/** `all`: from the site's first data to today. */
	readonly period: Period | "all" | "custom";
	/** Days of `period=custom`; `from` alone is the first day of `period=all`. */
	readonly from?: string;
	readonly to?: string;
	readonly compare: Comparison;
	/** Days of `compare=custom`. */
	readonly cfrom?: string;
	readonly cto?: string;
	/** Filters, `field:operator:value`, of which all hold. */
	readonly f: readonly string[];
	/** Name of a saved segment. */
	readonly segment?: string;
	readonly metric: string;
	/** A second line in the chart. */
	readonly metric2?: string;
	readonly by: (typeof steps)[number];
	/** The open panel: `sources`, `definition:entrances`. */
	readonly panel?: string;
	/** Of the panel: column, its direction (`-` first: descending), search, page. */
	readonly sort?: string;
	readonly q?: string;
	readonly page?: string;
	/** Choices of one screen alone: funnel steps, axes of the pivot, tabs. */
	readonly view: readonly string[];
	/** The site has no data from before yesterday: an address without a period means today, without a comparison. Never in the address. */
	readonly isNew?: boolean;
}

/** Selection of an address without parameters. */
const defaults: SiteSearch = {
	period: "30d",
	compare: "previous",
	f: [],
	metric: "entrances",
	by: "auto",
	view: [],
};

/** The parts that an address leaves out; `named` is the period that it names. */
const omitted = (isNew: boolean | undefined, named: unknown): SiteSearch =>
	isNew ? { ...defaults, period: "today", compare: named === undefined ? "none" : defaults.compare } : defaults;

const oneOf = <T extends string>(values: readonly T[], value: unknown, otherwise: T): T =>
	values.includes(value as T) ? (value as T) : otherwise;
const listOf = (value: unknown): readonly string[] =>
	(value === undefined ? [] : [value].flat().map(String)).slice(0, 30);
const text = (value: unknown): string | undefined =>
	typeof value === "string" && value !== "" ? value.slice(0, 500) : undefined;
const dayOf = (value: unknown): string | undefined => (typeof value === "string" && isDay(value) ? value : undefined);

/** The first day of `period=all`, as early as the reports reach wherever the site's day has begun; undefined if it is to come. */
function firstOfAll(from: string | undefined): string | undefined {
	const today = todayIn("UTC");
	if (from === undefined || from > addDays(today, 1)) return undefined;
	const earliest = addDays(today, 2 - longestRange);
	return from < earliest ? earliest : from;
}

/** Reads an address; invalid parts get their defaults, so that every address works. */
export function readSearch(raw: Readonly<Record<string, unknown>>): SiteSearch {
	const [from, to, cfrom, cto] = [dayOf(raw["from"]), dayOf(raw["to"]), dayOf(raw["cfrom"]), dayOf(raw["cto"])];
	const isOwn = from !== undefined && to !== undefined && from <= to;
	const allFrom = raw["period"] === "all" && !isOwn ? firstOfAll(from) : undefined;
	const comparesOwn = cfrom !== undefined && cto !== undefined && cfrom <= cto;
	const isNew = raw["isNew"] === true;
	const usual = omitted(isNew, isOwn ? "custom" : raw["period"]);
	const compare = oneOf(comparisons, raw["compare"], usual.compare);
	const optional = {
		segment: text(raw["segment"]),
		metric2: text(raw["metric2"]),
		panel: text(raw["panel"]),
		sort: text(raw["sort"]),
		q: text(raw["q"]),
		page: text(raw["page"]),
	};
	return {
		period: isOwn ? "custom" : allFrom ? "all" : oneOf(periods, raw["period"], usual.period as Period),
		...(isOwn && { from, to }),
		...(allFrom && { from: allFrom }),
		compare: compare === "custom" && !comparesOwn ? usual.compare : compare,
		...(compare === "custom" && comparesOwn && { cfrom, cto }),
		f: listOf(raw["f"]),
		metric: text(raw["metric"]) ?? defaults.metric,
		by: oneOf(steps, raw["by"], "auto"),
		view: listOf(raw["view"]),
		...(isNew && { isNew }),
		...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
	};
}

/** The shortest address that reads as this. */
function writeSearch(search: SiteSearch): Record<string, string | readonly string[]> {
	const { isNew, ...parts } = search;
	const all: Record<string, string | readonly string[] | undefined> = parts;
	const usual = omitted(isNew, search.period === "today" ? undefined : search.period);
	if (search.period === "custom") delete all["period"];
	return Object.fromEntries(
		Object.entries(all).filter(
			([name, value]) =>
				value !== undefined &&
				value !== "" &&
				value !== usual[name as keyof SiteSearch] &&
				!(Array.isArray(value) && value.length === 0),
		) as [string, string | readonly string[]][],
	);
}

/** A change of what one looks at; `undefined` takes a part away. */
export type SearchChange = { readonly [K in keyof SiteSearch]?: SiteSearch[K] | undefined };

/** The part that is kept between screens: period, comparison, filters, segment. */
export const shared = ({ period, from, to, compare, cfrom, cto, f, segment, isNew }: SiteSearch): SearchChange => ({
	period,
	from,
	to,
	compare,
	cfrom,
	cto,
	f,
	segment,
	isNew,
});

/** Nothing is before all time: choosing it turns the comparison off, and the next period has one again. */
function comparison(search: SiteSearch, { period }: SearchChange): SearchChange {
	if (period === undefined || (period === "all") === (search.period === "all")) return {};
	return { compare: period === "all" ? "none" : undefined };
}

/** The address's parameters after a change. */
export function changed(search: SiteSearch, change: SearchChange): Record<string, string | readonly string[]> {
	const after = writeSearch(readSearch({ ...search, ...comparison(search, change), ...change }));
	return isShared ? { ...after, ...givenLook } : after;
}

/** The selection in the address, on any screen of a site. */
export function useSiteSearch(): SiteSearch {
	const raw = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
	const { id } = useParams({ strict: false }) as { id?: string };
	// The frame has loaded the sites before any screen is drawn.
	const sites = useQueryClient().getQueryData<{ readonly sites: readonly Site[] }>(["GET /sites"])?.sites;
	const isNew = sites?.some((site) => site.id === id && site.is_new);
	return useMemo(() => (isShared ? admitted(readSearch(raw)) : readSearch({ ...raw, isNew })), [raw, isNew]);
}

/** The part of the address that a shared link admits. */
const admitted = ({ segment: _, ...search }: SiteSearch): SiteSearch => ({
	...search,
	f: search.f.filter((text) => {
		const filter = parseFilter(text);
		return filter !== undefined && mayFilterBy(filter.field);
	}),
});

/** Changes the address of the screen; typing into a search replaces its history entry. */
export function useChangeSearch(): (change: SearchChange, options?: { readonly replace?: boolean }) => void {
	const navigate = useNavigate();
	const search = useSiteSearch();
	return (change, options = {}) =>
		void navigate({ to: ".", search: changed(search, change), replace: options.replace ?? false, resetScroll: false });
}
