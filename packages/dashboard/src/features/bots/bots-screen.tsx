import { useQuery } from "@tanstack/react-query";
import type { Answer } from "../../api/client.ts";
import { read } from "../../api/read.ts";
import { daysBetween, todayIn } from "../../lib/days.ts";
import { count, day } from "../../lib/format.ts";
import { Card } from "../../ui/card/card.tsx";
import { Histogram } from "../../ui/charts/histogram.tsx";
import { type Column, DataTable } from "../../ui/data-table/data-table.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { CopyAs } from "../copy-as/index.ts";
import { daysOf, ScreenHead, useSite, useSiteSearch } from "../site/index.ts";
import styles from "./bots.module.css";
import { flagWeights } from "./flags.ts";
import { RefusedCard } from "./refused-card.tsx";
import { ScoresCard } from "./scores-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";
import { t } from "./texts.ts";

/** Totals of bots are kept for so many days. */
const mostDays = 90;

/** Hits detected as bots, with the reasons. */
export function BotsScreen() {
	const site = useSite();
	const search = useSiteSearch();
	const today = todayIn(site.timezone);
	const { from } = daysOf(search, today);
	const query = { account_id: site.id, days: Math.max(1, Math.min(mostDays, daysBetween(from, today))) };
	const overview = useQuery(read("GET /bot-stats/overview", { query }));
	const isFiltered = search.f.length > 0 || search.segment !== undefined;
	return (
		<>
			<ScreenHead title={t.title}>
				{overview.data && (
					<p className={styles.days}>
						{day(overview.data.period_start)} – {day(overview.data.period_end)}
					</p>
				)}
			</ScreenHead>
			<div className={styles.screen}>
				{isFiltered && <p className={styles.about}>{t.filtersOff}</p>}
				<Loaded query={overview}>
					{(data) => (
						<div className={styles.screen}>
							<ScoresCard distribution={data.distribution} />
							<div className={styles.pair}>
								<TrendCard trend={data.daily_trend} asked={query} />
								<FlagsCard flags={data.top_flags} asked={query} />
							</div>
						</div>
					)}
				</Loaded>
				<SessionsCard />
				<RefusedCard />
			</div>
		</>
	);
}

type FlagRow = Answer<"GET /bot-stats/overview">["top_flags"][number];

const columns: readonly Column<FlagRow>[] = [
	{
		key: "flag",
		label: t.flag,
		cell: ({ flag, description }) => (
			<span className={styles.wrap} title={description}>
				{t.names[flag]}
			</span>
		),
	},
	{ key: "weight", label: t.weight, isNumber: true, cell: ({ flag }) => `+${flagWeights[flag]}` },
	{ key: "count", label: t.hits, isNumber: true, cell: (row) => count(row.count) },
];

interface FlagsCardProps {
	readonly flags: readonly FlagRow[];
	/** Input of their query. */
	readonly asked: object;
}

/** Bot signals in hits, with the points that each adds to a score. */
const FlagsCard = ({ flags, asked }: FlagsCardProps) => (
	<Card
		title={t.flags}
		label={t.flags}
		actions={<CopyAs icon about={t.flags} route="GET /bot-stats/overview" params={asked} rows={() => flags} />}
	>
		{flags.length === 0 ? (
			<p className={styles.about}>{t.noFlags}</p>
		) : (
			<DataTable label={t.flags} columns={columns} rows={flags} rowKey={({ flag }) => flag} />
		)}
	</Card>
);

type Point = Answer<"GET /bot-stats/overview">["daily_trend"][number];

interface TrendCardProps {
	readonly trend: readonly Point[];
	/** Input of their query. */
	readonly asked: object;
}

/** Suspicious hits of each day. */
function TrendCard({ trend, asked }: TrendCardProps) {
	const most = Math.max(...trend.map(({ suspicious_hits: hits }) => hits), 1);
	const highest = trend.findIndex(({ suspicious_hits: hits }) => hits === most);
	const last = trend.length - 1;
	const named = new Set([0, Math.round(last / 2), last]);
	return (
		<Card
			title={t.trend}
			label={t.trend}
			actions={<CopyAs icon about={t.trend} route="GET /bot-stats/overview" params={asked} rows={() => trend} />}
		>
			<Histogram
				label={t.trend}
				columns={trend.map(({ date, suspicious_hits: hits, total_hits: total }, at) => ({
					key: date,
					label: named.has(at) ? day(date) : undefined,
					height: hits / most,
					marked: 1,
					figure: at === highest ? count(hits) : "",
					title: t.day(day(date), count(hits), count(total)),
				}))}
			/>
		</Card>
	);
}
