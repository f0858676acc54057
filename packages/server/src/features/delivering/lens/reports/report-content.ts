import type { DatedFinding } from "../insights/insight.ts";
import type { Compared, Sums } from "../rules/week-figures.ts";

/** A value of a dimension in both periods, with what lists show of it. */
export interface ReportPart extends Compared<Pick<Sums, "entrances" | "conversions" | "revenue">> {
	readonly value: string;
}

/** An insight of the period as it stood when the report was made. */
export interface ReportInsight {
	readonly id: string;
	readonly finding: DatedFinding;
}

/** The dimensions of a report's audience. */
export const audienceNames = ["device_type", "country", "browser"] as const;

/** Sums of a period. Reports of earlier releases divided by all conversions, and do not tell those with an amount. */
export type ReportSums = Sums & { readonly paid_conversions?: number };

/** The figures of a report, as they are stored; words are added when it is shown. */
export interface ReportContent extends Compared<ReportSums> {
	readonly channels: readonly ReportPart[];
	readonly audience: Readonly<Record<(typeof audienceNames)[number], readonly ReportPart[]>>;
	readonly insights: readonly ReportInsight[];
}
