import { useState } from "react";
import { may } from "../../api/may.ts";
import { classes } from "../../lib/classes.ts";
import { clock, time } from "../../lib/format.ts";
import { Button } from "../../ui/button/button.tsx";
import { useSite } from "../site/index.ts";
import { AlertVerdict } from "./alert-verdict.tsx";
import { type Alert, foundValue, isOpen, measuredBy, subjectOf, t as words } from "./alert-words.ts";
import styles from "./alerts.module.css";
import { t } from "./screen-texts.ts";

/** One thing that a rule found, with what somebody made of it. */
export function HistoryEntry({ alert }: { readonly alert: Alert }) {
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
			<p className={styles.hint}>
				{[lastedText(alert, timezone), ...(isGoal ? [] : [t.severities[alert.severity]])].join(" · ")}
			</p>
			{alert.notification_error && <p className={styles.fault}>{t.notTold(alert.notification_error)}</p>}
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
