import { type Static, type TSchema, Type } from "typebox";
import { countryName } from "../../../analytics/attribution/country-of-zone.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { Nullable, OneOf, Page, paging, Success } from "../../../platform/http/schemas.ts";
import type { SiteDirectory } from "../../tenancy/sites/index.ts";
import type { StatsDeps } from "./deps.ts";
import { Row } from "./list-schemas.ts";
import { commonParameters } from "./parameters.ts";
import type { StatsSite } from "./parse.ts";
import { columns, landingPages, metricColumns, type RowShape } from "./reports.ts";

const comparing = ["compare", "compare_start", "compare_end", "compare_align"] as const;
export const { properties: comparisonParameters } = Type.Pick(Type.Object(commonParameters), comparing);
const { properties: filters } = Type.Omit(Type.Object(commonParameters), ["site_id", "account_id", ...comparing]);

/** Parameters of every report over several sites. */
export const sharedParameters = {
	account_ids: Type.Array(Type.String(), {
		description: "Slugs of two or more sites; repeat it. Dates are in the time zone of the first one",
	}),
	...filters,
};

/** Query of a report over several sites without pages. */
export const AggregateQuery = Type.Object(sharedParameters);
export type AggregateQuery = Static<typeof AggregateQuery>;

/** Query of a list over several sites. */
export const AggregateListQuery = ({ sortBy }: AggregateReport) =>
	Type.Object({
		...sharedParameters,
		...paging({ pageSize: 50, max: 100 }),
		sort_by: OneOf([...sortBy], { default: sortBy[0] }),
		sort_order: OneOf(["asc", "desc"], { default: "desc" }),
	});
export type AggregateListQuery = Static<ReturnType<typeof AggregateListQuery>>;

export const accountCount = { account_count: Type.Integer({ description: "Number of sites that count in this row" }) };

/** Answer of a list over several sites. */
export const AggregateListAnswer = (report: AggregateReport): TSchema =>
	Page(
		Type.Object({
			...Row(report).properties,
			...Object.fromEntries((report.empty ?? []).map((field) => [field, Nullable(Type.String())])),
			...accountCount,
		}),
	);

/** Dependencies of reports over several sites. */
export interface AggregateDeps extends StatsDeps {
	readonly sites: Pick<SiteDirectory, "get">;
}

/** The sites of a request, each once, in the order given. 400 for fewer than two, 404 `account_not_found` for an unknown one. */
export function aggregateSites(
	deps: AggregateDeps,
	accountIds: readonly string[],
): readonly [StatsSite, ...StatsSite[]] {
	const [first, ...others] = [...new Set(accountIds)].map((id) => {
		const site = deps.sites.get(id);
		if (site === undefined) throw new ServiceError("account_not_found");
		return { ...site, share: null };
	});
	if (first === undefined || others.length === 0) {
		throw new ServiceError("bad_request", { message: "account_ids must name at least two different sites" });
	}
	return [first, ...others];
}

/** A list over several sites. */
export interface AggregateReport extends RowShape {
	readonly url: string;
	readonly summary: string;
	/** Campaign fields that do not tell rows apart, always null. */
	readonly empty?: readonly string[];
}

const traffic = {
	columns: { ...columns("conversion_rate"), ...metricColumns },
	sortBy: ["entrances", "engaged_entrances", "page_views", "microconversions", "conversions", "revenue", "bounce_rate"],
	takes: [],
} as const satisfies Partial<AggregateReport>;

/** Every paginated list over several sites. */
export const aggregateReports: readonly AggregateReport[] = [
	{
		url: "/stats/aggregate/pages",
		summary: "Page views by page, over several sites",
		key: { path: "path", content_grouping: "content_grouping" },
		columns: columns("entrances", "engaged_entrances", "page_views", "conversions", "bounce_rate"),
		sortBy: ["entrances", "engaged_entrances", "page_views", "conversions", "bounce_rate"],
		takes: [],
	},
	{
		...traffic,
		url: "/stats/aggregate/mediums",
		summary: "Traffic by medium, over several sites",
		key: { name: "utm_medium", utm_medium: "utm_medium" },
		empty: ["utm_source", "utm_campaign"],
	},
	{
		...traffic,
		url: "/stats/aggregate/sources",
		summary: "Traffic by source, over several sites",
		key: { name: "utm_source", utm_source: "utm_source" },
		empty: ["utm_medium", "utm_campaign"],
	},
	{
		...traffic,
		url: "/stats/aggregate/geo/countries",
		summary: "Traffic by country, over several sites",
		key: { country: "country" },
		named: { field: "country_name", of: "country", name: countryName },
		columns: metricColumns,
	},
	{
		url: "/stats/aggregate/landing-pages",
		summary: "Sessions by landing page, over several sites",
		key: landingPages.key,
		columns: landingPages.columns,
		sortBy: landingPages.sortBy,
		takes: [],
	},
	{
		url: "/stats/aggregate/conversions",
		summary: "Conversions by type, over several sites",
		key: { conversion_type: "conversion_type" },
		columns: { count: "conversions", revenue: "revenue", avg_value: "average_order_value" },
		sortBy: ["count", "revenue", "avg_value"],
		takes: [],
	},
];

/** The devices of several sites: all of them, without pages. */
export const aggregateDevices: RowShape = { ...traffic, key: { name: "device_type" }, share: true };

/** Answer of the devices of several sites. */
export const AggregateDevicesAnswer: TSchema = Success(Type.Array(Row(aggregateDevices)));
