import { classes } from "../../lib/classes.ts";
import { count } from "../../lib/format.ts";
import styles from "./alerts.module.css";
import { falseAlarms, nearestSize, sizes, type Tried, triedLike } from "./false-alarms.ts";
import { t } from "./form-texts.ts";
import type { Shape } from "./rule-body.ts";

interface FalseAlarmsProps {
	readonly shape: Shape;
	/** 0 if unknown. */
	readonly pageViewsADay: number;
}

/** Says how often a rule like this fires by chance alone on sites of this size, and on others. */
export function FalseAlarms({ shape, pageViewsADay }: FalseAlarmsProps) {
	const like = triedLike(shape);
	if (like === undefined) return null;
	const size = pageViewsADay > 0 ? nearestSize(pageViewsADay) : undefined;
	const expected = size === undefined ? 0 : falseAlarms[like][size];
	return (
		<div className={styles.alarms}>
			{expected ? (
				<p className={styles.warning} role="status">
					{t.often(expected)}
				</p>
			) : null}
			<details>
				<summary>{t.alarms}</summary>
				<p className={styles.hint}>
					{t.alarmsHint} {pageViewsADay > 0 && t.yours(count(pageViewsADay))}
				</p>
				<div className={styles.scroller}>
					<table className={styles.table}>
						<thead>
							<tr>
								<th scope="col">{t.perDay}</th>
								{sizes.map((views, at) => (
									<th key={views} scope="col" className={classes(at === size && styles.ours)}>
										{count(views)}
									</th>
								))}
							</tr>
						</thead>
						<tbody>
							{(Object.keys(falseAlarms) as Tried[]).map((tried) => (
								<tr key={tried} aria-current={tried === like || undefined}>
									<th scope="row">{t.tried[tried]}</th>
									{falseAlarms[tried].map((alarms, at) => (
										<td key={sizes[at]} className={classes(at === size && styles.ours)}>
											{count(alarms)}
										</td>
									))}
								</tr>
							))}
						</tbody>
					</table>
				</div>
			</details>
		</div>
	);
}
