import type { Dimension } from "../../../analytics/catalog/dimensions.ts";
import type { FileFigure } from "../../../analytics/query/files/file-columns.ts";

export interface GroupedType {
	readonly of: "groups";
	readonly key: Readonly<Record<string, Dimension>>;
	readonly namesCountry?: true;
	readonly figures: readonly FileFigure[];
	/** Sort order of the rows, descending; the day if it is the key. */
	readonly order?: FileFigure;
	readonly everyDay?: true;
}

export interface EventsType {
	readonly of: "events";
	readonly kind: "conversion" | "microconversion";
	readonly hasAmount: boolean;
	/** Rows older than two years are not shown. */
	readonly isRetained: boolean;
}

export type ExportShape = (GroupedType | EventsType) & {
	readonly rowBytes: number;
};

const traffic = {
	of: "groups",
	figures: ["entrances", "engaged_entrances", "page_views", "conversions", "revenue", "bounce_rate"],
	order: "entrances",
	rowBytes: 50,
} as const satisfies Omit<ExportShape & GroupedType, "key">;

const exportShapes = {
	pages: {
		of: "groups",
		key: { path: "path", content_grouping: "content_grouping" },
		figures: ["page_views", "entrances", "engaged_entrances"],
		order: "page_views",
		rowBytes: 60,
	},
	sources: { ...traffic, key: { utm_source: "utm_source" } },
	mediums: { ...traffic, key: { utm_medium: "utm_medium" } },
	campaigns: { ...traffic, key: { utm_campaign: "utm_campaign" } },
	terms: { ...traffic, key: { utm_term: "utm_term" } },
	countries: { ...traffic, key: { country: "country" }, namesCountry: true },
	devices: { ...traffic, key: { device_type: "device_type" } },
	browsers: { ...traffic, key: { browser: "browser" } },
	os: { ...traffic, key: { os: "os" } },
	conversions: {
		of: "events",
		kind: "conversion",
		hasAmount: true,
		isRetained: false,
		rowBytes: 110,
	},
	microconversions: {
		of: "events",
		kind: "microconversion",
		hasAmount: false,
		isRetained: true,
		rowBytes: 100,
	},
	time_series: {
		of: "groups",
		key: { date: "date" },
		figures: [
			"entrances",
			"engaged_entrances",
			"page_views",
			"microconversions",
			"conversions",
			"revenue",
			"visitors",
			"visit_duration",
		],
		everyDay: true,
		rowBytes: 50,
	},
	landing_pages: {
		of: "groups",
		key: { landing_page: "landing_page", content_grouping: "landing_content_grouping" },
		figures: [
			"entrances",
			"engaged_entrances",
			"bounce_rate",
			"microconversions",
			"conversions",
			"conversion_rate",
			"revenue",
		],
		order: "entrances",
		rowBytes: 70,
	},
} as const satisfies Record<string, ExportShape>;

export type ExportType = keyof typeof exportShapes;

export const exportTypes = Object.keys(exportShapes) as ExportType[];

export const shapeOf = (type: ExportType): ExportShape => exportShapes[type];

export const exportFormats = {
	csv: { contentType: "text/csv; charset=utf-8", extension: "csv", sizeFactor: 1 },
	json: { contentType: "application/json", extension: "json", sizeFactor: 3 },
	parquet: { contentType: "application/vnd.apache.parquet", extension: "parquet", sizeFactor: 0.3 },
} as const;

export type ExportFormat = keyof typeof exportFormats;

export const formatNames = Object.keys(exportFormats) as ExportFormat[];
