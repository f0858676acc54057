import { addDays, daysBetween, todayIn } from "../../lib/days.ts";
import { day, exact, figure } from "../../lib/format.ts";
import { Button } from "../../ui/button/button.tsx";
import { Legend, seriesColours } from "../../ui/charts/bar-chart.tsx";
import { LineChart } from "../../ui/charts/line-chart.tsx";
import { type Days, metricOf, useSite } from "../site/index.ts";
import type { PivotAnswer } from "./ask-pivot.ts";
import { amountOf } from "./figures.ts";
import { columnName } from "./pairs.ts";
import { keyOf } from "./pivot.ts";
import styles from "./pivot-lines.module.css";
import { t } from "./texts.ts";

interface PivotLinesProps {
	readonly answer: PivotAnswer;
	readonly days: Days;
	/** Puts the day first. */
	readonly onDays: () => void;
}

/** The first figure over the days, a line a column. */
export function PivotLines({ answer, days, onDays }: PivotLinesProps) {
	if (answer.pivot.rows[0] === "date") return <Chart answer={answer} days={days} />;
	return (
		<div className={styles.notice}>
			<p>{t.needsDays}</p>
			<Button small onClick={onDays}>
				{t.useDays}
			</Button>
		</div>
	);
}

interface Series {
	readonly name: string;
	/** One a day; missing in days to come. */
	readonly values: readonly (number | undefined)[];
}

/** The answer names days in which something was counted; the others count nothing. */
function seriesOf({ pivot, groups, columns }: PivotAnswer, dates: readonly string[], today: string): readonly Series[] {
	const [key = "entrances"] = pivot.figures;
	const byDate = new Map(groups.map((group) => [group.path[0], group]));
	const shown = columns.slice(0, seriesColours);
	const valuesBy = (rowOf: (date: string) => number) => dates.map((date) => (date > today ? undefined : rowOf(date)));
	if (shown.length === 0) {
		return [{ name: metricOf(key).label, values: valuesBy((date) => amountOf(key, byDate.get(date)?.total)) }];
	}
	return shown.map((column) => ({
		name: columnName(column, pivot.columns),
		values: valuesBy((date) => amountOf(key, byDate.get(date)?.cells.get(keyOf(column, pivot.columns)))),
	}));
}

function Chart({ answer, days }: Omit<PivotLinesProps, "onDays">) {
	const site = useSite();
	const [key = "entrances"] = answer.pivot.figures;
	const { kind, label } = metricOf(key);
	const dates = Array.from({ length: daysBetween(days.from, days.to) }, (_, at) => addDays(days.from, at));
	const today = todayIn(site.timezone);
	const series = seriesOf(answer, dates, today);
	const running = dates.indexOf(today);
	const text = (value: number | undefined) => (value === undefined ? "–" : exact(value, kind, site.currency));
	const dayAt = (at: number) => day(dates[at] ?? days.from);
	return (
		<div className={styles.lines}>
			{series.length > 1 && <Legend series={series.map(({ name }) => name)} />}
			<LineChart
				label={`${label}, ${t.lines}`}
				count={dates.length}
				lines={series.map(({ name, values }, at) => ({
					key: name,
					values,
					look: series.length === 1 ? ("main" as const) : ("series" as const),
					...(series.length > 1 && { colour: at + 1 }),
					unfinished: running < 0 ? undefined : running,
				}))}
				axis={{ text: (value) => figure(value, kind, site.currency), whole: kind === "count" }}
				pointText={dayAt}
				saidOf={(at) => `${dayAt(at)}: ${series.map(({ name, values }) => `${name} ${text(values[at])}`).join(", ")}`}
				readout={(at) => (
					<dl className={styles.readout}>
						<dt className={styles.day}>{dayAt(at)}</dt>
						{series.map(({ name, values }) => (
							<div key={name}>
								<dt>{name}</dt>
								<dd>{text(values[at])}</dd>
							</div>
						))}
					</dl>
				)}
			/>
		</div>
	);
}
