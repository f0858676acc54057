import { ArrowLeftRight } from "lucide-react";
import { useRef } from "react";
import { todayIn } from "../../lib/days.ts";
import { days as daysText } from "../../lib/format.ts";
import { useShortcuts } from "../../lib/keys.ts";
import { lazily } from "../../lib/lazily.ts";
import { Popover } from "../../ui/popover/popover.tsx";
import { comparedDays, daysOf, type Period, stepped, useChangeSearch, useSite, useSiteSearch } from "../site/index.ts";
import { letters } from "./letters.ts";
import styles from "./period-controls.module.css";
import { StepButton } from "./step-button.tsx";
import { t } from "./texts.ts";

const PeriodPanel = lazily(async () => ({ default: (await import("./period-panel.tsx")).PeriodPanel }));
const ComparisonPanel = lazily(async () => ({ default: (await import("./comparison-panel.tsx")).ComparisonPanel }));

/** Period of the figures and, unless it is alone, the comparison period. */
export function PeriodControls({ isAlone = false }: { readonly isAlone?: boolean }) {
	const box = useRef<HTMLDivElement>(null);
	const search = useSiteSearch();
	const today = todayIn(useSite().timezone);
	const days = daysOf(search, today);
	const before = comparedDays(search, days);
	const name = search.period === "custom" ? t.custom : t.periods[search.period];
	usePeriodKeys(today, () => box.current?.querySelector("button")?.click());
	return (
		<div className={styles.controls}>
			<Step by={-1} today={today} />
			<div ref={box} className={styles.period}>
				<Popover
					name={`${t.period}: ${name} ${daysText(days.from, days.to)}`}
					label={
						<>
							{search.period !== "custom" && <span>{name}</span>}{" "}
							<span className={search.period === "custom" ? undefined : styles.days}>
								{daysText(days.from, days.to)}
							</span>
						</>
					}
				>
					{(close) => <PeriodPanel days={days} today={today} close={close} />}
				</Popover>
			</div>
			<Step by={1} today={today} />
			{!isAlone && (
				<Popover
					name={`${t.comparison}: ${t.versus[search.compare]}${before ? ` ${daysText(before.from, before.to)}` : ""}`}
					label={
						<>
							<ArrowLeftRight className={styles.sign} size={16} aria-hidden="true" data-off={before ? undefined : ""} />
							<span className={styles.versus}>{t.versus[search.compare]}</span>{" "}
							{before && <span className={styles.daysBefore}>{daysText(before.from, before.to)}</span>}
						</>
					}
				>
					{(close) => <ComparisonPanel days={days} today={today} close={close} />}
				</Popover>
			)}
		</div>
	);
}

function Step({ by, today }: { readonly by: 1 | -1; readonly today: string }) {
	const change = useChangeSearch();
	const next = stepped(useSiteSearch(), by, today);
	const name = by === 1 ? t.later : t.earlier;
	return <StepButton by={by} name={name} isOpen={next !== undefined} onStep={() => next && change(next)} />;
}

function usePeriodKeys(today: string, openPanel: () => void): void {
	const search = useSiteSearch();
	const change = useChangeSearch();
	const step = (by: 1 | -1) => {
		const next = stepped(search, by, today);
		if (next) change(next);
	};
	const isCompared = search.compare !== "none";
	useShortcuts([
		...(Object.entries(letters) as [Period, string][]).map(([period, key]) => ({
			key,
			label: t.periods[period],
			run: () => change({ period, from: undefined, to: undefined }),
		})),
		{ key: "c", label: t.custom, run: openPanel },
		{ key: "x", label: t.toggle, run: () => change({ compare: isCompared ? "none" : "previous" }) },
		{ key: "arrowleft", label: t.earlier, run: () => step(-1) },
		{ key: "arrowright", label: t.later, run: () => step(1) },
	]);
}
