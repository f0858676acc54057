import { count, days, exact } from "../../lib/format.ts";
import { useSite } from "../site/index.ts";
import styles from "./insights.module.css";
import type { Insight } from "./insights-query.ts";
import { t } from "./texts.ts";

const kinds = { count: "count", percent: "rate", currency: "money" } as const;

/** The numbers that an insight rests on. */
export function Evidence({ insight: { evidence } }: { readonly insight: Insight }) {
	const { currency } = useSite();
	if (evidence === null) return null;
	const shown = (value: number) => exact(value, kinds[evidence.unit], currency);
	const within = (value: number, interval: { readonly low: number; readonly high: number } | null) =>
		interval === null ? shown(value) : `${shown(value)} (${shown(interval.low)} – ${shown(interval.high)})`;
	const { baseline_value: baseline, change_percentage: change, conversions } = evidence;
	const rows: readonly (readonly [label: string, value: string])[] = [
		[t.facts.now, within(evidence.current_value, evidence.current_interval)],
		...(baseline === null
			? []
			: ([
					[
						t.facts.before,
						[evidence.compared_with, within(baseline, evidence.baseline_interval)].filter(Boolean).join(" "),
					],
				] as const)),
		...(change === null ? [] : ([[t.facts.change, exact(change, "rate")]] as const)),
		[t.facts.threshold, exact(evidence.threshold, "rate")],
		[t.facts.confidence, t.confidences[evidence.confidence]],
		[
			t.facts.sample,
			t.sample(evidence.days_with_data, count(evidence.events), conversions === null ? undefined : count(conversions)),
		],
		[t.facts.period, days(evidence.period.start, evidence.period.end)],
		[t.facts.baseline, days(evidence.baseline_period.start, evidence.baseline_period.end)],
	];
	return (
		<dl className={styles.facts}>
			{rows.map(([label, value]) => (
				<div key={label}>
					<dt>{label}</dt>
					<dd>{value}</dd>
				</div>
			))}
		</dl>
	);
}
