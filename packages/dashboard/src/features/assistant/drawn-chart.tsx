import { figure } from "../../lib/format.ts";
import { Card } from "../../ui/card/card.tsx";
import { BarChart } from "../../ui/charts/bar-chart.tsx";
import { LineChart } from "../../ui/charts/line-chart.tsx";
import { useSite } from "../site/index.ts";
import styles from "./assistant.module.css";
import type { Message } from "./queries.ts";
import { cellText, fieldName, kindOf, titleName } from "./words.ts";

type Chart = Message["charts"][number];

/** A chart that the service made of a report. */
export function DrawnChart({ chart }: { readonly chart: Chart }) {
	const title = titleName(chart.title);
	return (
		<Card title={chart.type === "line" ? title : `${title} · ${fieldName(chart.y_key)}`}>
			<div className={styles.chart}>
				{chart.type === "line" ? <Line chart={chart} title={title} /> : <Bars chart={chart} title={title} />}
			</div>
		</Card>
	);
}

interface Titled {
	readonly chart: Chart;
	readonly title: string;
}

const numberOf = (value: unknown): number => (typeof value === "number" ? value : 0);

function Bars({ chart: { data, x_key: x, y_key: y }, title }: Titled) {
	const { currency } = useSite();
	const kind = kindOf(y);
	return (
		<BarChart
			label={`${title}, ${fieldName(y)}`}
			rows={data.map((row, at) => ({
				key: String(at),
				label: cellText(x, row[x] ?? null, currency),
				values: [{ value: numberOf(row[y]), text: figure(numberOf(row[y]), kind, currency) }],
			}))}
		/>
	);
}

function Line({ chart: { data, x_key: x, y_key: y }, title }: Titled) {
	const { currency } = useSite();
	const kind = kindOf(y);
	const pointText = (at: number) => {
		const value = String(data[at]?.[x] ?? "");
		// Hours come with their day, in one text.
		return /^\d{4}-\d\d-\d\d$/.test(value) ? cellText("date", value, currency) : value;
	};
	const valueText = (at: number) => cellText(y, data[at]?.[y] ?? null, currency);
	return (
		<LineChart
			label={title}
			count={data.length}
			lines={[{ key: y, look: "main", values: data.map((row) => numberOf(row[y])) }]}
			axis={{ text: (value) => figure(value, kind, currency), whole: kind === "count" }}
			pointText={pointText}
			saidOf={(at) => `${pointText(at)}: ${fieldName(y)} ${valueText(at)}`}
			readout={(at) => (
				<p>
					{pointText(at)}: <strong>{valueText(at)}</strong>
				</p>
			)}
		/>
	);
}
