import { type Finding, rounded } from "./finding.ts";
import { judgeParts } from "./part-rules.ts";
import { judgeStates, judgeTracking } from "./state-rules.ts";
import { judgeTotals } from "./total-rules.ts";
import type { WeekFigures } from "./week-figures.ts";

/** Findings of all rules. While no hits arrive, fallen figures are not reported on their own. */
export function judge(figures: WeekFigures): Finding[] {
	const broken = judgeTracking(figures);
	const compared = broken.length > 0 ? [] : [...judgeTotals(figures), ...judgeParts(figures)];
	return [...broken, ...compared, ...judgeStates(figures)].map(rounded);
}
