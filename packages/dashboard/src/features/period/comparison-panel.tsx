import { days as daysText } from "../../lib/format.ts";
import {
	type Comparison,
	comparedDays,
	type Days,
	type SearchChange,
	useChangeSearch,
	useSiteSearch,
} from "../site/index.ts";
import { DaysForm } from "./days-form.tsx";
import styles from "./period-controls.module.css";
import { t } from "./texts.ts";

const named = ["previous", "yoy", "yoy_weekday", "none"] as const satisfies readonly Comparison[];

interface PanelProps {
	/** The days that are compared. */
	readonly days: Days;
	readonly today: string;
	readonly close: () => void;
}

/** Comparison periods with their dates. */
export function ComparisonPanel({ days, today, close }: PanelProps) {
	const search = useSiteSearch();
	const change = useChangeSearch();
	const choose = (wanted: SearchChange) => {
		close();
		change(wanted);
	};
	const before = comparedDays(search, days) ?? comparedDays({ compare: "previous" }, days) ?? days;
	return (
		<div className={styles.panel}>
			<ul className={styles.choices} aria-label={t.compare}>
				{named.map((compare) => (
					<li key={compare}>
						<button
							type="button"
							className={styles.choice}
							aria-pressed={compare === search.compare}
							onClick={() => choose({ compare, cfrom: undefined, cto: undefined })}
						>
							{t.comparisons[compare]}
							<Resolved days={comparedDays({ compare }, days)} />
						</button>
					</li>
				))}
			</ul>
			<DaysForm
				legend={t.ownBefore}
				days={before}
				latest={today}
				onChoose={({ from, to }) => choose({ compare: "custom", cfrom: from, cto: to })}
			/>
		</div>
	);
}

const Resolved = ({ days }: { readonly days: Days | undefined }) =>
	days && <small>{daysText(days.from, days.to)}</small>;
