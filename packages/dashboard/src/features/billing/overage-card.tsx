import { useQuery } from "@tanstack/react-query";
import type { Answer } from "../../api/client.ts";
import { count, percent } from "../../lib/format.ts";
import { Card } from "../../ui/card/card.tsx";
import { type Column, DataTable } from "../../ui/data-table/data-table.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import type { Organization } from "../organizations/index.ts";
import styles from "./billing.module.css";
import { periodWords } from "./period-words.ts";
import { overageQuery } from "./queries.ts";
import { t } from "./texts.ts";

type Overage = Answer<"GET /billing/overage-status">;
type Judged = Overage["history"][number];

const columns: readonly Column<Judged>[] = [
	{ key: "period", label: t.period, cell: (row) => periodWords(row.period_start, row.period_end) },
	{ key: "events", label: t.events, isNumber: true, cell: (row) => count(row.total_events) },
	{ key: "limit", label: t.limit, isNumber: true, cell: (row) => count(row.event_limit) },
	{
		key: "over",
		label: t.over,
		isNumber: true,
		cell: ({ overage_percent: over }) => (over === 0 ? "–" : percent(over)),
	},
	{ key: "followed", label: t.followed, cell: (row) => t.actions[row.action_taken] },
];

/** Consequences of overages, and whether one more can be forgiven. */
export function OverageCard({ organization }: { readonly organization: Organization }) {
	const query = useQuery(overageQuery(organization.id));
	const isMonthly = organization.plan_limits.monthly_events !== null;
	return (
		<Card label={t.overage} title={t.overage}>
			<Loaded query={query}>
				{({ history, ...forgiveness }) => (
					<div className={styles.part}>
						<p>{isMonthly ? t.forgiveness : t.follows[organization.plan_tier]}</p>
						{isMonthly && (
							<p>
								<strong>
									{forgiveness.forgiveness_available
										? t.forgivable(forgiveness.forgiveness_year)
										: t.forgiven(forgiveness.forgiveness_year)}
								</strong>
							</p>
						)}
						{history.length === 0 ? (
							<p className={styles.muted}>{t.noneJudged}</p>
						) : (
							<DataTable
								label={t.overage}
								columns={columns}
								rows={history}
								rowKey={({ period_start: start }) => start}
							/>
						)}
					</div>
				)}
			</Loaded>
		</Card>
	);
}
