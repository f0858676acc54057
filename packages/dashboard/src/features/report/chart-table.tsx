import { Change } from "../../ui/change/change.tsx";
import { Scroller } from "../../ui/scroller/scroller.tsx";
import type { ChartPoint } from "./chart-points.ts";
import { t } from "./chart-texts.ts";
import type { Drawn } from "./drawn.ts";
import styles from "./main-chart.module.css";
import { longName } from "./point-names.ts";

/** The chart's figures as a table. */
export function ChartTable({ drawn }: { readonly drawn: Drawn }) {
	const { metric, second, points, daysBefore } = drawn;
	return (
		<Scroller label={t.asTable} className={styles.table}>
			<table>
				<caption className="visually-hidden">{drawn.summary}</caption>
				<thead>
					<tr>
						<th scope="col">{t.time}</th>
						<th scope="col">{metric.label}</th>
						{daysBefore && <th scope="col">{t.before}</th>}
						{daysBefore && <th scope="col">{t.change}</th>}
						{second && <th scope="col">{second.label}</th>}
					</tr>
				</thead>
				<tbody>
					{points.map((point, index) => (
						<Row key={`${point.at.date} ${point.at.hour}`} drawn={drawn} point={point} index={index} />
					))}
				</tbody>
			</table>
		</Scroller>
	);
}

function Row({ drawn, point, index }: { readonly drawn: Drawn; readonly point: ChartPoint; readonly index: number }) {
	const { metric, second, step, unfinished, runsUntil, daysBefore } = drawn;
	const { at, now, before } = point;
	if (now === undefined) return null;
	return (
		<tr>
			<th scope="row">
				{longName(at, step)}
				{index === unfinished && runsUntil && <em>{t.until(runsUntil)}</em>}
			</th>
			<td>{metric.exact(now)}</td>
			{daysBefore && <td title={before && longName(before.at, step)}>{before ? metric.exact(before.value) : "–"}</td>}
			{daysBefore && (
				<td>
					<Change now={now} before={before?.value} kind={metric.kind} good={metric.good} currency={metric.currency} />
				</td>
			)}
			{second && <td>{point.second === undefined ? "–" : second.exact(point.second)}</td>}
		</tr>
	);
}
