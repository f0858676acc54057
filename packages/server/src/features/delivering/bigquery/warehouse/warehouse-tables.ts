import { campaignDimensions, type Dimension } from "../../../../analytics/catalog/dimensions.ts";
import { type Metric, metricNames } from "../../../../analytics/catalog/metrics.ts";
import type { WarehouseColumn, WarehouseTable } from "./replace-rows.ts";

const column =
	(type: WarehouseColumn["type"], written: WarehouseColumn["written"], mode: WarehouseColumn["mode"] = "NULLABLE") =>
	(name: string): WarehouseColumn => ({ name, type, written, mode });

const text = column("STRING", "text");
const key = column("STRING", "text", "REQUIRED");
const count = column("INT64", "number");
const day = column("DATE", "date", "REQUIRED")("date");
/** As a text: a number of JSON may lose digits on the way. */
const money = column("NUMERIC", "text");
const moment = column("TIMESTAMP", "moment");
const properties = column("JSON", "map")("properties");

const metric = (name: Metric): WarehouseColumn => (name === "revenue" ? money(name) : count(name));

/** A fact that a report answers: groups of events. The key is the column, the value the dimension. */
interface GroupedFact {
	readonly of: "groups";
	readonly key: Readonly<Record<string, Dimension>>;
	readonly metrics: readonly Metric[];
}

interface EventFact {
	readonly of: "events";
	readonly kind: "conversion" | "microconversion";
	/** The expression of a column that is no column of events itself. */
	readonly values: Readonly<Record<string, string>>;
}

export interface FactTable extends WarehouseTable {
	readonly replaced: "days";
	readonly fact: GroupedFact | EventFact;
}

const same = <Name extends Dimension>(...names: readonly Name[]) =>
	Object.fromEntries(names.map((name) => [name, name])) as Record<Name, Name>;

const audience = ["channel_group", "country", "device_type", "browser", "os"] as const;
const common = { replaced: "days", partition: "date" } as const;

const dailyKey = same("date", ...campaignDimensions, ...audience);
const hourlyKey = same("date", "hour", "utm_source", "utm_medium", ...audience);

/** `hour` is unknown on what was imported by the day. */
const keyColumn = (name: string): WarehouseColumn => {
	if (name === "date") return day;
	return name === "hour" ? column("INT64", "hour")(name) : text(name);
};

const grouped = (
	keys: Readonly<Record<string, Dimension>>,
	metrics: readonly Metric[],
	extra: readonly string[] = [],
) => ({
	columns: [...Object.keys(keys).map(keyColumn), ...extra.map(count), ...metrics.map(metric)],
	fact: { of: "groups", key: keys, metrics } as const,
});

const eventsOf = (columns: readonly WarehouseColumn[], fact: Omit<EventFact, "of">) => ({
	columns: [day, ...columns],
	fact: { of: "events", ...fact } as const,
});

const pageKey = { date: "date", page_path: "path", ...same("content_grouping", "country", "channel_group") } as const;
const landingKey = {
	...same("date", "landing_page"),
	content_grouping: "landing_content_grouping",
	...same("utm_source", "utm_medium", "channel_group", "country"),
} as const;

const eventColumns = { conversion_type: "event_type", device_type: "device", channel_group: "channel" } as const;
const sourceColumns = ["utm_source", "utm_medium", "utm_campaign"];

export const factTables: readonly FactTable[] = [
	{
		name: "fact_traffic_daily",
		description: "Visits, pages, conversions and revenue by day, campaign, channel, country and device",
		dataType: "traffic",
		clustering: ["account_id", "channel_group", "utm_source", "country"],
		...common,
		...grouped(dailyKey, metricNames, ["day_of_week"]),
	},
	{
		name: "fact_traffic_hourly",
		description: "The same by hour, of the last 90 days",
		dataType: "traffic_hourly",
		clustering: ["account_id", "channel_group", "utm_source", "country"],
		expirationDays: 90,
		...common,
		...grouped(hourlyKey, metricNames, ["day_of_week"]),
	},
	{
		name: "fact_pages",
		description: "Views of pages by day, country and channel",
		dataType: "pages",
		clustering: ["account_id", "page_path"],
		...common,
		...grouped(pageKey, ["entrances", "engaged_entrances", "page_views"]),
	},
	{
		name: "fact_landing_pages",
		description: "What visits that began at a page came to",
		dataType: "landing_pages",
		clustering: ["account_id", "landing_page"],
		...common,
		...grouped(landingKey, ["entrances", "engaged_entrances", "microconversions", "conversions", "revenue"]),
	},
	{
		name: "fact_conversions",
		description: "Conversions one by one, each with the attribution of its visit",
		dataType: "conversions",
		clustering: ["account_id", "conversion_type", "channel_group"],
		...common,
		...eventsOf(
			[
				...["conversion_type", ...campaignDimensions, ...audience, "landing_page", "click_id"].map(text),
				count("count"),
				money("amount"),
				money("revenue"),
				properties,
			],
			{
				kind: "conversion",
				values: {
					...eventColumns,
					landing_page: "landing_path",
					click_id: "clid",
					count: "conversion",
					amount: "toString(amount)",
					revenue: "toString(revenue)",
				},
			},
		),
	},
	{
		name: "fact_microconversions",
		description: "List of microconversions of the last two years",
		dataType: "microconversions",
		clustering: ["account_id", "conversion_type", "channel_group"],
		...common,
		...eventsOf(
			[
				...["conversion_type", ...sourceColumns, "channel_group", "country", "device_type"].map(text),
				count("count"),
				properties,
			],
			{ kind: "microconversion", values: { ...eventColumns, count: "microconversion" } },
		),
	},
];

export const accountsTable: WarehouseTable = {
	name: "dim_accounts",
	description: "The site: name, time zone, currency",
	dataType: "accounts",
	replaced: "site",
	partition: null,
	clustering: ["account_id"],
	columns: [key("account_name"), key("timezone"), key("currency"), moment("created_at")],
};

/** Names of country codes; each site has its own rows, as in every table. */
export const countriesTable: WarehouseTable = {
	name: "dim_countries",
	description: "Names of the countries, with continent and region (UN M49)",
	dataType: null,
	replaced: "site",
	partition: null,
	clustering: ["account_id", "country_code"],
	columns: [key("country_code"), key("country_name"), text("continent"), text("region")],
};

export const metadataTable: WarehouseTable = {
	name: "sync_metadata",
	description: "The syncs that have ended, as the log of the integration has them",
	dataType: null,
	replaced: "sync",
	partition: null,
	clustering: ["account_id", "sync_id"],
	columns: [
		...["sync_type", "status"].map(key),
		moment("sync_started_at"),
		moment("sync_completed_at"),
		...["date_from", "date_to"].map(column("DATE", "text", "REQUIRED")),
		column("JSON", "map")("tables_synced"),
		count("total_rows_synced"),
		count("total_bytes_synced"),
		text("error_message"),
	],
};

export const warehouseTables: readonly WarehouseTable[] = [...factTables, accountsTable, countriesTable, metadataTable];

export const tablesFor = (types: readonly string[]): readonly WarehouseTable[] =>
	warehouseTables.filter(({ dataType }) => dataType === null || types.includes(dataType));
