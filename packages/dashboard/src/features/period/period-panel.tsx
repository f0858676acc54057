import { addDays } from "../../lib/days.ts";
import { sinceText } from "../../ui/change/change.tsx";
import {
	asChange,
	type Days,
	longestRange,
	periods,
	type SearchChange,
	useChangeSearch,
	useSiteSearch,
} from "../site/index.ts";
import { DaysForm } from "./days-form.tsx";
import { useFirstDay } from "./first-day.ts";
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

/** From the first data to today; the longest range instead where there are data before it. */
function AllTime({ today, isChosen, onChoose }: AllTimeProps) {
	const { first, isKnown } = useFirstDay();
	const earliest = addDays(today, 1 - longestRange);
	const isCut = first !== undefined && first < earliest;
	return (
		<button
			type="button"
			className={styles.choice}
			aria-pressed={isChosen}
			disabled={first === undefined}
			onClick={() =>
				onChoose(isCut ? asChange({ from: earliest, to: today }, today) : { period: "all", from: first, to: undefined })
			}
		>
			{isCut ? t.longest(longestRange) : t.periods.all}
			{isKnown && <small>{first === undefined ? t.noData : sinceText(first)}</small>}
		</button>
	);
}
