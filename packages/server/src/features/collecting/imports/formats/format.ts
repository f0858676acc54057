import type { Readable } from "node:stream";

/** The sources of files that users hand in. */
export const importSources = ["ga4_csv", "plausible_zip", "umami_csv", "matomo_csv", "access_log"] as const;
/** Those, and the source of migration jobs. */
export const storedSources = [...importSources, "legacy_service"] as const;
export type ImportSource = (typeof storedSources)[number];

/** `not_a_page`: files, other methods and errors of an access log; `repeated`: totals, and tables by another dimension. */
export const skipReasons = [
	"malformed",
	"out_of_range",
	"overlap",
	"unknown_metric",
	"bot",
	"other_host",
	"not_a_page",
	"repeated",
] as const;
export type SkipReason = (typeof skipReasons)[number];

export const importMeasures = [
	"entrances",
	"engaged",
	"page_views",
	"conversions",
	"microconversions",
	"revenue",
	"visit_seconds",
	"visitors",
] as const;
export type ImportMeasure = (typeof importMeasures)[number];

/** The dimensions that an imported sum may have; `event_type` is that of its conversions or microconversions. */
export const importDimensions = [
	"path",
	"content_group",
	"referrer",
	"landing_path",
	"landing_group",
	"utm_source",
	"utm_medium",
	"utm_campaign",
	"utm_term",
	"utm_content",
	"country",
	"device",
	"browser",
	"os",
	"event_type",
] as const;
export type ImportDimension = (typeof importDimensions)[number];

/** The dimensions of sums and their names in the API, in the order in which a report lists them. */
export const dimensionNames = [
	["path", "path"],
	["content_group", "content_grouping"],
	["landing_path", "landing_page"],
	["landing_group", "landing_content_grouping"],
	["referrer", "referrer_domain"],
	["utm_source", "utm_source"],
	["utm_medium", "utm_medium"],
	["utm_campaign", "utm_campaign"],
	["utm_term", "utm_term"],
	["utm_content", "utm_content"],
	["country", "country"],
	["device", "device_type"],
	["browser", "browser"],
	["os", "os"],
	["event_type", "conversion_type"],
] as const satisfies readonly (readonly [ImportDimension, string])[];
export type ReportedDimension = (typeof dimensionNames)[number][1] | "hour";

/** The dimensions that rows may fill, by their names in the API. */
export const reportedDimensions: ReportedDimension[] = [...dimensionNames.map(([, reported]) => reported), "hour"];

export interface ImportFile {
	/** As the user calls it. */
	readonly name: string;
	readonly bytes: number;
	/** Its bytes from the first on; may be called several times. Destroy the stream when it is not read to its end. */
	open(): Promise<Readable>;
}

export interface FormatContext {
	/** The IANA zone in which the file tells days and hours, where it does not say so itself. */
	readonly timezone: string;
	/** The file's names of columns to ours, as the user gave them. */
	readonly columnMap: Readonly<Record<string, string>>;
}

/** When something happened: a day, with or without its hour, in the zone of the context; or an instant, ms since 1970 UTC. */
export type ImportedTime = { readonly date: string; readonly hour: number | undefined } | number;

/** A sum over a day or an hour, or a single event. Absent dimensions are unknown; absent measures count as 0. */
export interface ImportedSum {
	readonly kind: "sum";
	/** True for one that was calculated of several rows, which are items of their own: it is no row of the file. */
	readonly isCalculated?: true;
	/** Its line, from 1 on; in an archive that of its member. */
	readonly line: number;
	readonly at: ImportedTime;
	/** Texts as the file has them; the engine cuts and cleans them, and makes `Unknown` and `unknown` of what is missing. */
	readonly dimensions: Readonly<Partial<Record<ImportDimension, string>>>;
	/** Whole numbers from 0 on; `revenue` any finite number. */
	readonly measures: Readonly<Partial<Record<ImportMeasure, number>>>;
	/** The arrival that its visit began with: the engine attributes it as that of a hit, whose values win over the dimensions. */
	readonly arrival?: Arrival;
	/** The visitor, where the file tells visitors apart: counts once a day. Kept nowhere. */
	readonly visitor?: string;
}

/** The addresses of an arrival, whole, with their queries; `referrer` is `""` where there is none. */
export interface Arrival {
	readonly page: string;
	readonly referrer: string;
}

interface Place {
	readonly line: number;
	/** In an archive, the member. */
	readonly file?: string;
}

/** A row of the file of which sums are calculated. */
export interface ImportedRow extends Place {
	readonly kind: "row";
	readonly at: ImportedTime;
}

/** A cell that cannot be read, in a row that counts without it. */
export interface UnreadCell extends Place {
	readonly kind: "cell";
	readonly column: string;
	readonly text: string;
}

/** A page view of somebody: the engine makes visits of these, of 30 minutes, and attributes them. */
export interface ImportedHit {
	readonly kind: "hit";
	readonly line: number;
	/** Milliseconds since 1970 UTC. */
	readonly at: number;
	/** Where the file tells it. */
	readonly host: string | undefined;
	/** Path and query as requested, beginning with `/`. */
	readonly target: string;
	/** `""` where there is none. */
	readonly referrer: string;
	readonly userAgent: string;
	/** Identifies a visitor together with the agent, such as an address. Never stored; in memory during the visit. */
	readonly visitor: string;
}

export interface SkippedLine extends Place {
	readonly kind: "skipped";
	/** The engine itself finds days out of range, overlaps, bots and other hosts. */
	readonly reason: Extract<SkipReason, "malformed" | "unknown_metric" | "not_a_page" | "repeated">;
	/** The fault; without addresses and other data of visitors, as reports of imports are kept. */
	readonly problem?: string;
}

export type ImportedItem = ImportedSum | ImportedHit | ImportedRow | UnreadCell | SkippedLine;

/** Why a file as a whole cannot be read: with a message for the user and the field it is about. */
export class UnreadableFile extends Error {
	readonly field: "file" | "column_map";

	constructor(message: string, field: "file" | "column_map" = "file") {
		super(message);
		this.field = field;
	}
}

/**
 * A format that imports come in. It reads and maps; zones, ranges, overlaps, channels, totals and rows are the engine's. The
 * same file and context must give the same items in the same order, however often it is read: a resumed import counts them.
 */
export interface ImportFormat {
	readonly source: ImportSource;
	/** Warnings for readers of the figures, in each import's report. */
	readonly warnings?: readonly string[];
	/** The zone of times without an offset unless the user says otherwise; that of the site when absent. */
	readonly timezone?: string;
	/** Looks at the beginning of a file before it is taken. Throws `UnreadableFile`. */
	check(file: ImportFile, context: FormatContext): Promise<void>;
	/** The items in the order of the file, some hundreds at a time, so that few promises are made. Throws `UnreadableFile`. */
	read(file: ImportFile, context: FormatContext): AsyncIterable<readonly ImportedItem[]>;
}
