import type { CSSProperties } from "react";
import { todayIn } from "../../lib/days.ts";
import { days as daysText, difference, exact, percent } from "../../lib/format.ts";
import { texts } from "../../lib/language.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Baseline, baselineOf } from "../../ui/change/baseline.ts";
import { Change } from "../../ui/change/change.tsx";
import { Cut } from "../../ui/cut/cut.tsx";
import { Options } from "../../ui/field/options.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { CopyAs } from "../copy-as/index.ts";
import { InsightsStrip } from "../insights/index.ts";
import {
	comparedDays,
	daysOf,
	dimensionLabels,
	isChosen,
	metrics,
	Nothing,
	ScreenHead,
	useChangeSearch,
	useReport,
	useSite,
	useSiteSearch,
	valueName,
	withValue,
} from "../site/index.ts";
import { barOf, type Cause, causeRecords, type Dimension, type Explanation } from "./causes.ts";
import { type ExplainInput, explainable, explainInput, isExplainable } from "./explain-input.ts";
import { t } from "./texts.ts";
import styles from "./why-screen.module.css";

/** Texts that the screen of causes alone has. */
const own = texts({
	en: {
		metric: "Metric",
		against: (days: string) => `vs ${days}`,
		explained: (percent: string) => `${percent} of the change`,
		share: "Share of change",
		appeared: "new",
		vanished: "gone",
		unnamed: "(not set)",
		uncompared: "Choose a comparison to see changes.",
		compare: "Compare with previous period",
		nothing: "No change in this period.",
	},
	es: {
		metric: "Métrica",
		against: (days: string) => `vs. ${days}`,
		explained: (percent: string) => `${percent} del cambio`,
		share: "Parte del cambio",
		appeared: "nuevo",
		vanished: "desapareció",
		unnamed: "(sin valor)",
		uncompared: "Elige una comparación para ver los cambios.",
		compare: "Comparar con el periodo anterior",
		nothing: "Sin cambios en este periodo.",
	},
});

/** The change of a metric, split by each dimension. */
export function WhyScreen() {
	const site = useSite();
	const search = useSiteSearch();
	const metric = isExplainable(search.metric) ? search.metric : "entrances";
	const input = explainInput(site, search, { metric, today: todayIn(site.timezone) });
	return (
		<>
			<ScreenHead title={t.title}>
				<MetricChoice metric={metric} />
				{input && <CopyCauses input={input} />}
			</ScreenHead>
			<InsightsStrip />
			<div className={styles.causes}>{input ? <Causes input={input} /> : <Uncompared />}</div>
		</>
	);
}

function MetricChoice({ metric }: { readonly metric: string }) {
	const change = useChangeSearch();
	return (
		<select
			aria-label={own.metric}
			className={styles.metric}
			value={metric}
			onChange={(event) => change({ metric: event.target.value })}
		>
			<Options of={explainable} text={(key) => metrics[key].label} />
		</select>
	);
}

/** All dimensions at once. */
function CopyCauses({ input }: { readonly input: ExplainInput }) {
	const { data } = useReport("POST /stats/explain", input);
	return (
		<CopyAs
			about={t.title}
			route="POST /stats/explain"
			params={input}
			rows={data && (() => data.dimensions.flatMap(causeRecords))}
			sql={{ metric: input.metric }}
		/>
	);
}

function Uncompared() {
	const change = useChangeSearch();
	return (
		<Card className={styles.uncompared}>
			<p>{own.uncompared}</p>
			<Button onClick={() => change({ compare: "previous" })}>{own.compare}</Button>
		</Card>
	);
}

function Causes({ input }: { readonly input: ExplainInput }) {
	const query = useReport("POST /stats/explain", input);
	return (
		<Loaded query={query} isEmpty={isNothing} empty={<Nothing text={own.nothing} />}>
			{(explanation) => (
				<>
					<Total explanation={explanation} metric={input.metric} />
					<div className={styles.cards}>
						{explanation.dimensions
							.filter(({ rows }) => rows.some(({ value }) => value !== ""))
							.map((dimension) => (
								<CausesCard key={dimension.name} dimension={dimension} input={input} />
							))}
					</div>
				</>
			)}
		</Loaded>
	);
}

const isNothing = ({ total, dimensions }: Explanation): boolean =>
	total.now === 0 && total.before === 0 && dimensions.every(({ rows }) => rows.length === 0);

interface TotalProps {
	readonly explanation: Explanation;
	readonly metric: ExplainInput["metric"];
}

function Total({ explanation, metric: key }: TotalProps) {
	const { total } = explanation;
	const site = useSite();
	const search = useSiteSearch();
	const before = comparedDays(search, daysOf(search, todayIn(site.timezone)));
	const { label, kind, good } = metrics[key];
	const { currency } = site;
	return (
		<p className={styles.total}>
			<strong>
				{label}: {exact(total.now, kind, currency)}
			</strong>
			<b>{difference(total.change, kind, currency)}</b>
			<Baseline value={baselineOf(explanation)}>
				<Change now={total.now} before={total.before} kind={kind} good={good} currency={currency} />
			</Baseline>
			{before && <span>{own.against(daysText(before.from, before.to))}</span>}
		</p>
	);
}

/**
 * Contribution of a dimension's values to the change of a metric: bars to both sides, the largest first. A click
 * filters.
 */
function CausesCard({ dimension, input }: { readonly dimension: Dimension; readonly input: ExplainInput }) {
	const title = dimensionLabels[dimension.name];
	return (
		<Card
			label={title}
			title={title}
			actions={
				<div className="row-centered">
					<small>{own.explained(percent(dimension.explained))}</small>
					<CopyAs
						icon
						about={title}
						route="POST /stats/explain"
						params={{ ...input, dimensions: [dimension.name] }}
						rows={() => causeRecords(dimension)}
						sql={{ metric: input.metric }}
					/>
				</div>
			}
		>
			<ol className={styles.rows} data-ways={new Set(dimension.rows.map(({ change }) => change < 0)).size}>
				{dimension.rows.map((cause) => (
					<li key={cause.value}>
						<Row cause={cause} dimension={dimension} metric={input.metric} />
					</li>
				))}
			</ol>
		</Card>
	);
}

interface RowProps {
	readonly cause: Cause;
	readonly dimension: Dimension;
	readonly metric: ExplainInput["metric"];
}

function Row({ cause, dimension, metric: key }: RowProps) {
	const { currency } = useSite();
	const { f } = useSiteSearch();
	const change = useChangeSearch();
	const { kind } = metrics[key];
	const { now, before } = cause;
	const isNamed = cause.value !== "";
	const shown = isNamed ? valueName(dimension.name, cause.value) : own.unnamed;
	const bar = barOf(cause, dimension);
	const way = before === 0 ? own.appeared : now === 0 ? own.vanished : undefined;
	return (
		<button
			type="button"
			className={styles.row}
			aria-pressed={isChosen(f, dimension.name, cause.value)}
			aria-description={t.filter(shown)}
			onClick={() => change({ f: withValue(f, dimension.name, cause.value) })}
		>
			<span className={styles.name}>
				<Cut text={shown} />
				{way && <em>{way}</em>}
			</span>
			<span
				className={styles.bar}
				data-way={bar < 0 ? "down" : "up"}
				style={{ "--length": Math.abs(bar) } as CSSProperties}
				aria-hidden="true"
			/>
			<span className={styles.change} title={t.now(exact(now, kind, currency), exact(before, kind, currency))}>
				{difference(cause.change, kind, currency)}
			</span>
			<span className={styles.share} title={own.share}>
				{percent(cause.share)}
			</span>
		</button>
	);
}
