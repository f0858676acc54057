import type { Counts, Labels } from "./oracle-facts.ts";

/** A label that reports filter by. */
export type Label = keyof Labels;

/** An advanced filter; `field` as in the request. */
export interface AskedFilter {
	readonly field: "utm_source" | "utm_medium" | "utm_campaign" | "country" | "device_type" | "path" | "referrer";
	readonly operator: "eq" | "ne" | "contains" | "not_contains" | "regex" | "not_regex" | "in" | "not_in";
	readonly values: readonly string[];
}

/** A request in plain data, so that the oracle need not read query strings. */
export interface Asked {
	readonly report: "overview" | "sources" | "pages";
	readonly site: string;
	readonly timezone: string;
	readonly dates:
		| { readonly period: string }
		| { readonly start?: string | undefined; readonly end?: string | undefined };
	readonly compare: "previous" | "yoy" | undefined;
	/** Parameters by their label; several values are ORed. */
	readonly parameters: Readonly<Partial<Record<Label, readonly string[]>>>;
	readonly filters: readonly AskedFilter[];
	readonly granularity: "auto" | "hourly" | "daily" | undefined;
	readonly sortBy: keyof Counts | undefined;
	readonly sortOrder: "asc" | "desc" | undefined;
	readonly page: number;
	readonly pageSize: number;
	readonly search: string | undefined;
	readonly includeTotals: boolean;
	readonly pathFilter: string | undefined;
	readonly include: readonly ("device" | "browser" | "os" | "channel_group")[];
	readonly includeUtm: boolean;
}

const escapeValue = (value: string) => value.replaceAll(",", "%2C").replaceAll("|", "%7C");

/** The address of a request, relative to the API. */
export function addressOf(asked: Asked): string {
	const query = new URLSearchParams({ site_id: asked.site });
	const set = (name: string, value: string | number | undefined) => {
		if (value !== undefined) query.set(name, String(value));
	};
	if ("period" in asked.dates) set("period", asked.dates.period);
	else {
		set("start_date", asked.dates.start);
		set("end_date", asked.dates.end);
	}
	set("compare", asked.compare);
	for (const [name, values] of Object.entries(asked.parameters)) for (const value of values) query.append(name, value);
	if (asked.filters.length > 0) {
		const entries = asked.filters.map((f) => `${f.field}:${f.operator}:${f.values.map(escapeValue).join("|")}`);
		set("filters", entries.join(","));
	}
	if (asked.report === "overview") {
		set("granularity", asked.granularity);
		return `/stats/overview?${query}`;
	}
	set("sort_by", asked.sortBy);
	set("sort_order", asked.sortOrder);
	set("page", asked.page);
	set("page_size", asked.pageSize);
	if (asked.report === "sources") {
		set("search", asked.search);
		if (asked.includeTotals) set("include_totals", "true");
	} else {
		set("path_filter", asked.pathFilter);
		if (asked.includeUtm) set("include_utm", "1");
		for (const name of asked.include) query.append("include[]", name);
	}
	return `/stats/${asked.report}?${query}`;
}
