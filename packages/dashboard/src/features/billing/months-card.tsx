import { useQuery } from "@tanstack/react-query";
import { exact, figure } from "../../lib/format.ts";
import { Card } from "../../ui/card/card.tsx";
import { BarChart } from "../../ui/charts/bar-chart.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import type { Organization } from "../organizations/index.ts";
import { periodWords } from "./period-words.ts";
import { monthsQuery } from "./queries.ts";
import { t } from "./texts.ts";

/** Events of the last periods, newest first. */
export function MonthsCard({ organization }: { readonly organization: Organization }) {
	const query = useQuery(monthsQuery(organization.id));
	return (
		<Card label={t.months} title={t.months}>
			<Loaded query={query} isEmpty={(periods) => periods.length === 0} empty={<p>{t.noMonths}</p>}>
				{(periods) => (
					<BarChart
						label={t.months}
						rows={periods.map(({ period_start: start, period_end: end, human_events: events }) => ({
							key: start,
							label: periodWords(start, end),
							values: [{ value: events, text: figure(events, "count"), whole: exact(events, "count") }],
						}))}
					/>
				)}
			</Loaded>
		</Card>
	);
}
