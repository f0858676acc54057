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

/** The figures of a report, as they are stored; words are added when it is shown. */
export interface ReportContent extends Compared<Sums> {
	readonly channels: readonly ReportPart[];
	readonly audience: Readonly<Record<(typeof audienceNames)[number], readonly ReportPart[]>>;
	readonly insights: readonly ReportInsight[];
}
