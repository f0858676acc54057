import { classes } from "../../lib/classes.ts";
import styles from "./histogram.module.css";

/** A column of a histogram. */
export interface HistogramColumn {
	readonly key: string;
	/** Below the column; long rows of columns show some of them only. */
	readonly label?: string | undefined;
	/** 0 to 1: how high the column is. */
	readonly height: number;
	/** Of the height, the part that is marked; from above. */
	readonly marked?: number;
	/** How wide it is, beside the others. */
	readonly width?: number;
	/** Above the column. */
	readonly figure?: string;
	/** The whole of what it says. */
	readonly title: string;
}

/** Columns that each have a label below their middle; of more, those at the ends stay inside. */
const few = 10;

interface HistogramProps {
	/** Says in a sentence what the chart shows. */
	readonly label: string;
	readonly columns: readonly HistogramColumn[];
	/** A line across, 0 to 1 from the start, with its name. */
	readonly line?: { readonly at: number; readonly label: string };
}

/** Columns beside each other, as wide as what they stand for. */
export function Histogram({ label, columns, line }: HistogramProps) {
	const tracks = columns.map(({ width = 1 }) => `minmax(0, ${width}fr)`).join(" ");
	return (
		<figure className={styles.histogram}>
			<figcaption className="visually-hidden">{label}</figcaption>
			<div className={styles.plot}>
				<ul className={styles.columns} style={{ gridTemplateColumns: tracks }}>
					{columns.map(({ key, height, marked = 0, figure, title }) => (
						<li key={key} className={styles.column} title={title}>
							<span className="visually-hidden">{title}</span>
							{figure && (
								<span className={styles.figure} aria-hidden="true">
									{figure}
								</span>
							)}
							<span className={styles.fill} style={{ height: `${height * 100}%` }}>
								{marked > 0 && <span className={styles.marked} style={{ height: `${marked * 100}%` }} />}
							</span>
						</li>
					))}
				</ul>
				{line && (
					<div
						className={classes(styles.line, line.at > 0.7 && styles.before)}
						style={{ insetInlineStart: `${line.at * 100}%` }}
					>
						<span>{line.label}</span>
					</div>
				)}
			</div>
			<div
				className={classes(styles.labels, columns.length > few && styles.many)}
				style={{ gridTemplateColumns: tracks }}
				aria-hidden="true"
			>
				{columns.map(({ key, label: text }) => (
					<span key={key}>{text}</span>
				))}
			</div>
		</figure>
	);
}
