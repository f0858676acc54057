import { useQuery } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { daysBetween, todayIn } from "../../lib/days.ts";
import { day } from "../../lib/format.ts";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { daysOf, ScreenHead, useSite, useSiteSearch } from "../site/index.ts";
import styles from "./bots.module.css";
import { FlagsCard } from "./flags-card.tsx";
import { RefusedCard } from "./refused-card.tsx";
import { ScoresCard } from "./scores-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";
import { t } from "./texts.ts";
import { TrendCard } from "./trend-card.tsx";

/** Totals of bots are kept for so many days. */
const mostDays = 90;

/** Hits detected as bots, with the reasons. */
export function BotsScreen() {
	const site = useSite();
	const search = useSiteSearch();
	const today = todayIn(site.timezone);
	const { from } = daysOf(search, today);
	const query = { account_id: site.id, days: Math.max(1, Math.min(mostDays, daysBetween(from, today))) };
	const overview = useQuery({
		queryKey: ["GET /bot-stats/overview", query],
		queryFn: ({ signal }) => call("GET /bot-stats/overview", { query, signal }),
	});
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
