import type { ReportInput } from "../../api/batch.ts";
import { comparedDays, daysOf, reportQuery, type Site, type SiteSearch } from "../site/index.ts";
import type { Dimension } from "./causes.ts";

/** How a change is asked for. */
export type ExplainInput = ReportInput<"POST /stats/explain">;

/** Metrics whose values add up, so that a change has parts. */
export const explainable = [
	"entrances",
	"visitors",
	"page_views",
	"engaged_entrances",
	"conversions",
	"revenue",
	"microconversions",
] as const satisfies readonly ExplainInput["metric"][];

/** True for a metric whose change has parts. */
export const isExplainable = (metric: string): metric is ExplainInput["metric"] =>
	(explainable as readonly string[]).includes(metric);

/** The question why a metric changed; undefined where the address compares with nothing. */
export function explainInput(
	site: Pick<Site, "id">,
	search: SiteSearch,
	about: { readonly metric: ExplainInput["metric"]; readonly today: string },
	dimensions?: readonly Dimension["name"][],
): ExplainInput | undefined {
	const days = daysOf(search, about.today);
	const before = comparedDays(search, days);
	if (before === undefined || search.compare === "none") return undefined;
	const { site_id, segment, segment_filters } = reportQuery(site.id, search);
	return {
		site_id,
		metric: about.metric,
		date_from: days.from,
		date_to: days.to,
		compare: search.compare,
		...(search.compare === "custom"
			? { compare_start: before.from, compare_end: before.to }
			: { compare_align: "elapsed" }),
		...(segment !== undefined && { segment }),
		...(segment_filters !== undefined && { segment_filters }),
		...(dimensions && { dimensions }),
	};
}
