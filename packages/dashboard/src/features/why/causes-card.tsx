import type { CSSProperties } from "react";
import { difference, exact, percent } from "../../lib/format.ts";
import { Card } from "../../ui/card/card.tsx";
import { Cut } from "../../ui/cut/cut.tsx";
import { CopyAs } from "../copy-as/index.ts";
import {
	dimensionLabels,
	isChosen,
	metrics,
	useChangeSearch,
	useSite,
	useSiteSearch,
	valueName,
	withValue,
} from "../site/index.ts";
import { barOf, type Cause, causeRecords, type Dimension } from "./causes.ts";
import type { ExplainInput } from "./explain-input.ts";
import { own } from "./screen-texts.ts";
import { t } from "./texts.ts";
import styles from "./why-screen.module.css";

/**
 * Contribution of a dimension's values to the change of a metric: bars to both sides, the largest first. A click
 * filters.
 */
export function CausesCard({ dimension, input }: { readonly dimension: Dimension; readonly input: ExplainInput }) {
	const title = dimensionLabels[dimension.name];
	return (
		<Card
			label={title}
			title={title}
			actions={
				<div className={styles.aside}>
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
