import { texts } from "../../lib/language.ts";
import { type Comparison, comparisons, type Period, periods, useChangeSearch, useSiteSearch } from "../site/index.ts";
import styles from "./period-controls.module.css";

const t = texts({
	en: {
		period: "Period",
		compare: "Compare with",
		periods: {
			today: "Today",
			yesterday: "Yesterday",
			"7d": "Last 7 days",
			"30d": "Last 30 days",
			"90d": "Last 90 days",
			"12m": "Last 12 months",
			this_week: "This week",
			last_week: "Last week",
			this_month: "This month",
			last_month: "Last month",
			this_quarter: "This quarter",
			last_quarter: "Last quarter",
			this_year: "This year",
			last_year: "Last year",
		},
		comparisons: {
			previous: "vs before",
			yoy: "vs last year",
			yoy_weekday: "vs last year, same weekdays",
			custom: "vs own days",
			none: "no comparison",
		},
	},
	es: {
		period: "Periodo",
		compare: "Comparar con",
		periods: {
			today: "Hoy",
			yesterday: "Ayer",
			"7d": "Últimos 7 días",
			"30d": "Últimos 30 días",
			"90d": "Últimos 90 días",
			"12m": "Últimos 12 meses",
			this_week: "Esta semana",
			last_week: "Semana pasada",
			this_month: "Este mes",
			last_month: "Mes pasado",
			this_quarter: "Este trimestre",
			last_quarter: "Trimestre pasado",
			this_year: "Este año",
			last_year: "Año pasado",
		},
		comparisons: {
			previous: "con antes",
			yoy: "con el año pasado",
			yoy_weekday: "con el año pasado, mismos días",
			custom: "con días propios",
			none: "sin comparar",
		},
	},
});

/** Which days the figures are of, and what they are compared with. */
export function PeriodControls() {
	const search = useSiteSearch();
	const change = useChangeSearch();
	return (
		<div className={styles.controls}>
			<select
				aria-label={t.period}
				value={search.period}
				onChange={(event) => change({ period: event.target.value as Period, from: undefined, to: undefined })}
			>
				{periods.map((period) => (
					<option key={period} value={period}>
						{t.periods[period]}
					</option>
				))}
			</select>
			<select
				aria-label={t.compare}
				value={search.compare}
				onChange={(event) => change({ compare: event.target.value as Comparison })}
			>
				{comparisons.map((comparison) => (
					<option key={comparison} value={comparison}>
						{t.comparisons[comparison]}
					</option>
				))}
			</select>
		</div>
	);
}
