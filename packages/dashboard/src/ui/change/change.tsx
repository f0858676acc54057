import { useContext } from "react";
import { classes } from "../../lib/classes.ts";
import { days, difference, figure, type Kind, signedPercent, signedPoints } from "../../lib/format.ts";
import { texts } from "../../lib/language.ts";
import { Baseline } from "./baseline.ts";
import styles from "./change.module.css";
import { changeOf, type Movement } from "./change-of.ts";

const t = texts({
	en: {
		fresh: "new",
		since: (day: string) => `data since ${day}`,
		before: (figure: string) => `previously ${figure}`,
		points: "pts",
	},
	es: {
		fresh: "nuevo",
		since: (day: string) => `datos desde el ${day}`,
		before: (figure: string) => `antes ${figure}`,
		points: "pp",
	},
});

/** The first day with data in words: `data since 12 Nov`, with the year where it is not this one. */
export const sinceText = (began: string): string => t.since(days(began, began));

/** A movement in words: `+12 %`, `-1.3 pts`, `+€200.00`. */
export function changeText({ state, by, unit, kind }: Movement, currency?: string): string {
	if (state === "new") return t.fresh;
	if (state === "none") return "–";
	if (unit === "difference") return difference(by, kind, currency);
	return unit === "points" ? `${signedPoints(by)} ${t.points}` : signedPercent(by);
}

interface ChangeProps {
	readonly now: number;
	/** Without it nothing is compared, and nothing is shown. */
	readonly before: number | undefined;
	readonly kind: Kind;
	readonly good: "up" | "down" | "neither";
	readonly currency?: string;
}

/** How a figure moved, with its sign, an arrow and a colour that tells good from bad; or since when there are data. */
export function Change({ now, before, kind, good, currency }: ChangeProps) {
	const began = useContext(Baseline);
	if (before === undefined) return null;
	const title = t.before(figure(before, kind, currency));
	if (began !== undefined) {
		return (
			<span className={classes(styles.change, styles.since)} title={title} data-since="">
				{sinceText(began)}
			</span>
		);
	}
	const movement = changeOf(now, before, kind);
	const { state } = movement;
	const moved = state === "up" || state === "down";
	const tone = !moved || good === "neither" ? undefined : state === good ? styles.good : styles.bad;
	return (
		<span className={classes(styles.change, tone)} title={title}>
			{moved && (
				<svg className={styles.arrow} viewBox="0 0 8 8" aria-hidden="true">
					<path d={state === "up" ? "M4 1 8 7H0z" : "M4 7 0 1h8z"} />
				</svg>
			)}
			{changeText(movement, currency)}
		</span>
	);
}
