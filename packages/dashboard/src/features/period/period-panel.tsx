import { asChange, type Days, periods, type SearchChange, useChangeSearch, useSiteSearch } from "../site/index.ts";
import { DaysForm } from "./days-form.tsx";
import { letters } from "./letters.ts";
import styles from "./period-controls.module.css";
import { t } from "./texts.ts";

interface PanelProps {
	readonly days: Days;
	readonly today: string;
	readonly close: () => void;
}

/** All named periods, and days of one's choice. */
export function PeriodPanel({ days, today, close }: PanelProps) {
	const { period: chosen } = useSiteSearch();
	const change = useChangeSearch();
	const choose = (wanted: SearchChange) => {
		close();
		change(wanted);
	};
	return (
		<div className={styles.panel}>
			<ul className={styles.choices} data-columns="2" aria-label={t.period}>
				{periods.map((period) => (
					<li key={period}>
						<button
							type="button"
							className={styles.choice}
							aria-pressed={period === chosen}
							onClick={() => choose({ period, from: undefined, to: undefined })}
						>
							{t.periods[period]}
							{letters[period] && <kbd>{letters[period].toUpperCase()}</kbd>}
						</button>
					</li>
				))}
			</ul>
			<DaysForm legend={t.own} days={days} latest={today} onChoose={(own) => choose(asChange(own, today))} />
		</div>
	);
}
