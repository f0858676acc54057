import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { may } from "../../api/may.ts";
import { read } from "../../api/read.ts";
import { classes } from "../../lib/classes.ts";
import { todayIn } from "../../lib/days.ts";
import { clock, day, time } from "../../lib/format.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Options } from "../../ui/field/options.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { Pager, pageOf } from "../../ui/pager/pager.tsx";
import { useChangeSearch, useSite, useSiteSearch } from "../site/index.ts";
import { AlertVerdict } from "./alert-verdict.tsx";
import { type Alert, foundValue, isOpen, measuredBy, subjectOf, t as words } from "./alert-words.ts";
import styles from "./alerts.module.css";
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
	const history = useQuery({ ...read("GET /alerts/history", { query }), placeholderData: keepPreviousData });
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
		<div className="row">
			<select
				aria-label={t.status}
				className={styles.select}
				value={status ?? ""}
				onChange={(event) => set({ status: event.target.value })}
			>
				<option value="">{t.allStatuses}</option>
				<Options of={statuses} text={(one) => words.statuses[one]} />
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

/** One thing that a rule found, with what somebody made of it. */
function HistoryEntry({ alert }: { readonly alert: Alert }) {
	const { role, currency, timezone } = useSite();
	const [judges, setJudges] = useState(false);
	const isGoal = alert.alert_type === "goal_reached";
	const mayJudge = isOpen(alert) && may("PATCH /alerts/history/{alert_id}", role);
	return (
		<li className={classes(styles.entry, isOpen(alert) && styles.open, isGoal && styles.reached)}>
			<p className={styles.head}>
				<strong>{alert.rule_name}</strong>
				<span className={styles.state}>{isGoal ? t.reached : words.statuses[alert.status]}</span>
			</p>
			<p>
				{subjectOf(measuredBy(alert))}: {foundValue(alert, currency)}
			</p>
			<p className="caption">
				{[lastedText(alert, timezone), ...(isGoal ? [] : [t.severities[alert.severity]])].join(" · ")}
			</p>
			{alert.notification_error && <p className="bad">{t.notTold(alert.notification_error)}</p>}
			{judges ? (
				<AlertVerdict alert={alert} onDone={() => setJudges(false)} />
			) : (
				<>
					{alert.notes && <q className={styles.quote}>{alert.notes}</q>}
					{mayJudge && (
						<p className={styles.judge}>
							<Button small aria-label={t.judgeOne(alert.rule_name)} onClick={() => setJudges(true)}>
								{t.judge}
							</Button>
						</p>
					)}
				</>
			)}
		</li>
	);
}

/** From when until when, on the site's clock; a goal is reached in a moment. */
function lastedText({ triggered_at: from, resolved_at: until, alert_type: type }: Alert, timezone: string): string {
	const began = clock(from, timezone);
	if (type === "goal_reached") return began;
	if (until === null) return t.since(began);
	const isSameDay = from.slice(0, 10) === until.slice(0, 10);
	return t.lasted(began, isSameDay ? clock(until, timezone) : time(until));
}
