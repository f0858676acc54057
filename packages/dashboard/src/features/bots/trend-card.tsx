import type { Answer } from "../../api/client.ts";
import { count, day } from "../../lib/format.ts";
import { Card } from "../../ui/card/card.tsx";
import { Histogram } from "../../ui/charts/histogram.tsx";
import { CopyAs } from "../copy-as/index.ts";
import { t } from "./texts.ts";

type Point = Answer<"GET /bot-stats/overview">["daily_trend"][number];

interface TrendCardProps {
	readonly trend: readonly Point[];
	/** Input of their query. */
	readonly asked: object;
}

/** Suspicious hits of each day. */
export function TrendCard({ trend, asked }: TrendCardProps) {
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
