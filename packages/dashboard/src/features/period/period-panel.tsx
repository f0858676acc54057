import {
	asChange,
	type Days,
	periods,
	type SearchChange,
	useChangeSearch,
	useSite,
	useSiteSearch,
} from "../site/index.ts";
import { DaysForm } from "./days-form.tsx";
import { useAllTime } from "./first-day.ts";
import { letters } from "./letters.ts";
import styles from "./period-controls.module.css";
import { t } from "./texts.ts";

interface PanelProps {
	readonly days: Days;
	readonly today: string;
	readonly close: () => void;
}

/** All named periods, all time, and days of one's choice. */
export function PeriodPanel({ days, today, close }: PanelProps) {
	const { period: chosen } = useSiteSearch();
	const change = useChangeSearch();
	const choose = (wanted: SearchChange) => {
		close();
		change(wanted);
	};
	return (
		<div className={styles.panel} data-columns="2">
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
				<li className={styles.all}>
					<AllTime today={today} isChosen={chosen === "all"} onChoose={choose} />
				</li>
			</ul>
			<DaysForm legend={t.own} days={days} latest={today} onChoose={(own) => choose(asChange(own, today))} />
		</div>
	);
}

interface AllTimeProps {
	readonly today: string;
	readonly isChosen: boolean;
	readonly onChoose: (change: SearchChange) => void;
}

function AllTime({ today, isChosen, onChoose }: AllTimeProps) {
	const { name, since, change } = useAllTime(useSite().id, today);
	return (
		<button
			type="button"
			className={styles.choice}
			aria-pressed={isChosen}
			disabled={change === undefined}
			onClick={() => change && onChoose(change)}
		>
			{name}
			{since && <small>{since}</small>}
		</button>
	);
}
