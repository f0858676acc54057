import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { todayIn } from "../../lib/days.ts";
import { day } from "../../lib/format.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { Pager, pageOf } from "../../ui/pager/pager.tsx";
import { useChangeSearch, useSite, useSiteSearch } from "../site/index.ts";
import { t as words } from "./alert-words.ts";
import styles from "./alerts.module.css";
import { HistoryEntry } from "./history-entry.tsx";
import { rulesQuery } from "./rules-query.ts";
import { t } from "./screen-texts.ts";

const statuses = ["active", "acknowledged", "resolved", "false_positive"] as const;
const pageSize = 20;

/** Filters of the history in the address. */
function useAsked() {
	const search = useSiteSearch();
	const change = useChangeSearch();
	const said = (name: string) => search.view.find((entry) => entry.startsWith(`${name}:`))?.slice(name.length + 1);
	const status = statuses.find((one) => one === said("status"));
	const rule = Number(said("rule")) || undefined;
	const set = (next: { readonly status?: string | undefined; readonly rule?: string | undefined }) => {
		const all = { status, rule, ...next };
		const view = Object.entries(all).flatMap(([name, value]) => (value ? [`${name}:${value}`] : []));
		change({ view, page: undefined }, { replace: true });
	};
	const page = pageOf(search.page);
	const onPage = (to: number) => change({ page: to === 1 ? undefined : String(to) });
	return { status, rule, page, set, onPage };
}

/** Alerts of all rules, newest first. */
export function HistoryCard() {
	const site = useSite();
	const { status, rule, page, set, onPage } = useAsked();
	const query = {
		account_id: site.id,
		...(status !== undefined && { status }),
		...(rule !== undefined && { rule_id: rule }),
		limit: pageSize,
		offset: (page - 1) * pageSize,
	};
	const history = useQuery({
		queryKey: ["GET /alerts/history", query],
		queryFn: ({ signal }) => call("GET /alerts/history", { query, signal }),
		placeholderData: keepPreviousData,
	});
	const isChosen = status !== undefined || rule !== undefined;
	return (
		<Card title={t.history} label={t.history} actions={<Filters />}>
			<Loaded
				query={history}
				isEmpty={({ total }) => total === 0}
				empty={
					<div className={styles.empty}>
						<p>{isChosen ? t.nothingLike : t.nothingFound}</p>
						{isChosen && <Button onClick={() => set({ status: undefined, rule: undefined })}>{t.clear}</Button>}
					</div>
				}
			>
				{({ alerts, total }) => (
					<>
						{[...Map.groupBy(alerts, ({ triggered_at: at }) => todayIn(site.timezone, new Date(at)))].map(
							([date, some]) => (
								<section key={date} className={styles.day} aria-label={day(date, "long")}>
									<h3>{day(date, "long")}</h3>
									<ol className={styles.line}>
										{some.map((alert) => (
											<HistoryEntry key={alert.id} alert={alert} />
										))}
									</ol>
								</section>
							),
						)}
						<Pager page={page} pageSize={pageSize} total={total} onPage={onPage} />
					</>
				)}
			</Loaded>
		</Card>
	);
}

function Filters() {
	const { status, rule, set } = useAsked();
	const { data } = useQuery(rulesQuery(useSite().id));
	return (
		<div className={styles.filters}>
			<select
				aria-label={t.status}
				className={styles.select}
				value={status ?? ""}
				onChange={(event) => set({ status: event.target.value })}
			>
				<option value="">{t.allStatuses}</option>
				{statuses.map((one) => (
					<option key={one} value={one}>
						{words.statuses[one]}
					</option>
				))}
			</select>
			<select
				aria-label={t.rule}
				className={styles.select}
				value={rule ?? ""}
				onChange={(event) => set({ rule: event.target.value })}
			>
				<option value="">{t.allRules}</option>
				{data?.rules.map(({ id, name }) => (
					<option key={id} value={id}>
						{name}
					</option>
				))}
			</select>
		</div>
	);
}
