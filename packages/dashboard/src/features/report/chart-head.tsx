import { Plus, Table2 } from "lucide-react";
import { daysBetween } from "../../lib/days.ts";
import { days as daysText } from "../../lib/format.ts";
import { Button } from "../../ui/button/button.tsx";
import { sinceText } from "../../ui/change/change.tsx";
import { Options } from "../../ui/field/options.tsx";
import { CopyAs } from "../copy-as/index.ts";
import { metrics, useChangeSearch } from "../site/index.ts";
import { t } from "./chart-texts.ts";
import type { Drawn } from "./drawn.ts";
import { chartable, type Step, stepsFor } from "./figures.ts";
import styles from "./main-chart.module.css";
import type { Asked } from "./use-overview.ts";

interface ChartHeadProps {
	readonly asked: Asked;
	/** Missing until the first answer. */
	readonly drawn: Drawn | undefined;
	/** The site's first day with data, where the compared period begins before it. */
	readonly baseline: string | undefined;
	readonly isTable: boolean;
	readonly onTable: () => void;
	/** Missing for those who may not write one. */
	readonly onNote: (() => void) | undefined;
}

/** Metric, granularity and actions of the chart. */
export function ChartHead({ asked, drawn, baseline, isTable, onTable, onNote }: ChartHeadProps) {
	return (
		<header className={styles.head}>
			<h2 data-line="main">{metrics[asked.metric].label}</h2>
			<StepChoice asked={asked} />
			<div className={styles.lines}>
				<SecondChoice asked={asked} />
				{asked.daysBefore && (
					<span className={styles.legend} data-line="before">
						{daysText(asked.daysBefore.from, asked.daysBefore.to)}
						{baseline !== undefined && `, ${sinceText(baseline)}`}
					</span>
				)}
				{asked.runsUntil && (
					<span className={styles.legend} data-line="running">
						{t.running(asked.runsUntil)}
					</span>
				)}
			</div>
			<div className={styles.actions}>
				{onNote && (
					<Button look="quiet" small onClick={onNote} className={styles.action}>
						<Plus size={16} aria-hidden="true" />
						<span>{t.note}</span>
					</Button>
				)}
				<Button look="quiet" small aria-pressed={isTable} onClick={onTable} className={styles.action}>
					<Table2 size={16} aria-hidden="true" />
					<span>{t.asTable}</span>
				</Button>
				<CopyChart asked={asked} drawn={drawn} />
			</div>
		</header>
	);
}

/** Rendered from the start, so that nothing moves; actions that need figures are enabled when they are loaded. */
function CopyChart({ asked, drawn }: Pick<ChartHeadProps, "asked" | "drawn">) {
	return (
		<CopyAs
			about={metrics[asked.metric].label}
			route="GET /stats/overview"
			params={asked.input}
			rows={drawn && (async () => (await import("./chart-rows.ts")).chartRows(drawn))}
			sql={{ metric: asked.metric }}
		/>
	);
}

function StepChoice({ asked }: { readonly asked: Asked }) {
	const change = useChangeSearch();
	const steps = stepsFor(daysBetween(asked.days.from, asked.days.to));
	return (
		<select
			aria-label={t.step}
			className={styles.select}
			value={asked.step}
			onChange={(event) => change({ by: event.target.value as Step })}
		>
			<Options of={steps} text={(step) => t.steps[step]} />
		</select>
	);
}

function SecondChoice({ asked: { metric, second } }: { readonly asked: Asked }) {
	const change = useChangeSearch();
	return (
		<span className={styles.second} data-line={second && "second"}>
			<select
				aria-label={t.second}
				className={styles.select}
				value={second ?? ""}
				onChange={(event) => change({ metric2: event.target.value || undefined })}
			>
				<option value="">{t.addSecond}</option>
				{chartable
					.filter((key) => key !== metric)
					.map((key) => (
						<option key={key} value={key}>
							{second === key ? t.and(metrics[key].label) : metrics[key].label}
						</option>
					))}
			</select>
		</span>
	);
}
