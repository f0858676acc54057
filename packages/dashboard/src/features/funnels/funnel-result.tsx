import type { Answer } from "../../api/client.ts";
import { count, day, exact } from "../../lib/format.ts";
import { readablePath } from "../../lib/readable-path.ts";
import { Button } from "../../ui/button/button.tsx";
import { FunnelChart } from "../../ui/charts/funnel-chart.tsx";
import type { SiteSearch } from "../site/index.ts";
import styles from "./funnels-screen.module.css";
import { t } from "./texts.ts";

/** Answer of a funnel. */
export type Funnel = Answer<"POST /stats/funnel">;

interface FunnelResultProps {
	readonly now: Funnel;
	readonly before: Funnel | undefined;
	readonly onLonger: (change: { readonly period: SiteSearch["period"] }) => void;
}

/** A funnel drawn and said in words. */
export function FunnelResult({ now, before, onLonger }: FunnelResultProps) {
	if (now.total_entries === 0) {
		return (
			<div className={styles.empty}>
				<p>{t.nobody}</p>
				<Button small onClick={() => onLonger({ period: "90d" })}>
					{t.longer}
				</Button>
			</div>
		);
	}
	return (
		<>
			<FunnelChart label={t.chart} steps={now.steps.map((step, at) => bar(now, before, step, at))} />
			<p className={styles.sentence} role="status">
				{sentence(now, before)}
			</p>
			<p className={styles.rule}>{t.rule}</p>
		</>
	);
}

function bar(now: Funnel, before: Funnel | undefined, step: Funnel["steps"][number], at: number) {
	const above = now.steps[at - 1];
	const earlier = before?.steps[at];
	const lost = above === undefined ? 0 : above.count - step.count;
	return {
		key: String(step.step_number),
		label: readablePath(step.name),
		share: step.conversion_rate / 100,
		shareBefore:
			at > 0 && before !== undefined && before.total_entries > 0 ? (earlier?.conversion_rate ?? 0) / 100 : undefined,
		figure: count(step.count),
		rate: exact(step.conversion_rate, "rate"),
		before: earlier && t.before(count(earlier.count)),
		lost:
			above === undefined
				? undefined
				: lost === 0
					? t.allStay
					: t.left(`−${count(lost)}`, exact(step.drop_off_rate, "rate")),
	};
}

/** The funnel in two sentences: how many arrive, and where most are lost. */
function sentence(now: Funnel, before: Funnel | undefined): string {
	const rate = exact(now.overall_conversion_rate, "rate");
	const arrived = t.sentence(count(now.total_completions), rate, count(now.total_entries));
	const { start_date: from, end_date: to } = before?.date_range ?? { start_date: "", end_date: "" };
	const earlier =
		before && t.sentenceBefore(exact(before.overall_conversion_rate, "rate"), `${day(from)} – ${day(to)}`);
	const worst = now.steps.slice(1).reduce((most, step) => (step.drop_off_rate > most.drop_off_rate ? step : most));
	const source = now.steps[worst.step_number - 2];
	const where =
		worst.drop_off_rate > 0 && source
			? t.worst(readablePath(source.name), readablePath(worst.name), exact(worst.drop_off_rate, "rate"))
			: "";
	return `${arrived}${earlier ? ` (${earlier})` : ""}. ${where}`.trim();
}
