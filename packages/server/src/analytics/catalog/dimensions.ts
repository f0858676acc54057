import { canonicalPath } from "../attribution/canonical-path.ts";
import type { StoredColumn } from "../model/event-columns.ts";

interface DimensionDefinition {
	/** Expression over the columns of `events`; plain columns and functions of them, so that projections apply. */
	readonly sql: StoredColumn | "toDayOfWeek(date)";
	/** How a result holds a value of it. */
	readonly type: "text" | "number";
	/** Canonical form of a value to filter by; undefined for a value that cannot occur. */
	readonly normalize?: (value: string) => string | undefined;
	/** True for paths, which are stored in one form and may be asked for in another. */
	readonly isPath?: true;
}

/** Every kind of device; `unknown` is that of imported rows whose file does not tell it. */
export const deviceTypes = ["desktop", "mobile", "tablet", "unknown"];

/** ISO 3166-1 alpha-2 in capitals, or `Unknown`. */
function country(value: string): string | undefined {
	if (/^[a-z]{2}$/i.test(value)) return value.toUpperCase();
	return value.toLowerCase() === "unknown" ? "Unknown" : undefined;
}

function deviceType(value: string): string | undefined {
	const device = value.toLowerCase();
	return deviceTypes.includes(device) ? device : undefined;
}

const wholeNumber = (least: number, most: number) => (value: string) =>
	/^\d{1,2}$/.test(value) && Number(value) >= least && Number(value) <= most ? String(Number(value)) : undefined;

/** Everything that rows can be grouped or filtered by, under the name that answers use. Definitions: docs/metrics.md. */
const dimensions = {
	date: { sql: "date", type: "text" },
	hour: { sql: "hour", type: "number", normalize: wholeNumber(0, 23) },
	day_of_week: { sql: "toDayOfWeek(date)", type: "number", normalize: wholeNumber(1, 7) },
	path: { sql: "path", type: "text", normalize: canonicalPath, isPath: true },
	content_grouping: { sql: "content_group", type: "text" },
	landing_page: { sql: "landing_path", type: "text", normalize: canonicalPath, isPath: true },
	landing_content_grouping: { sql: "landing_group", type: "text" },
	referrer_domain: { sql: "referrer", type: "text" },
	utm_source: { sql: "utm_source", type: "text" },
	utm_medium: { sql: "utm_medium", type: "text" },
	utm_campaign: { sql: "utm_campaign", type: "text" },
	utm_term: { sql: "utm_term", type: "text" },
	utm_content: { sql: "utm_content", type: "text" },
	country: { sql: "country", type: "text", normalize: country },
	device_type: { sql: "device", type: "text", normalize: deviceType },
	browser: { sql: "browser", type: "text" },
	os: { sql: "os", type: "text" },
	channel_group: { sql: "channel", type: "text" },
	conversion_type: { sql: "event_type", type: "text" },
} as const satisfies Record<string, DimensionDefinition>;

/** Name of a dimension in requests and answers. */
export type Dimension = keyof typeof dimensions;

/** Dimensions of a grouping; no request names the site, nor the five campaign dimensions together. */
export type GroupKey = Dimension | "campaign" | "site";

/** A property of events by its name, such as `property.plan`: rows are filtered by it, and not grouped. */
export type Property = `property.${string}`;

const PROPERTY = "property.";

/** True for a property. */
export const isProperty = (name: string): name is Property => name.startsWith(PROPERTY);

/** The name of a property as events carry it. */
export const propertyName = (property: Property): string => property.slice(PROPERTY.length);

/** The definition of a dimension, with its optional parts. */
export function dimensionOf(name: GroupKey | Property): DimensionDefinition {
	if (isProperty(name)) return { sql: "properties", type: "text" };
	return name === "campaign" || name === "site" ? { sql: name, type: "text" } : dimensions[name];
}

/** The column that a dimension is made of. */
export function columnOf(name: GroupKey | Property): StoredColumn {
	const { sql } = dimensionOf(name);
	return sql === "toDayOfWeek(date)" ? "date" : sql;
}

/** The five campaign dimensions, in the order in which answers list them. */
export const campaignDimensions = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;
