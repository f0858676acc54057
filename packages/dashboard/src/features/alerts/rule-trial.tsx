import { useQuery } from "@tanstack/react-query";
import { type Answer, call } from "../../api/client.ts";
import { signedPercent } from "../../lib/format.ts";
import { Button } from "../../ui/button/button.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { useSite } from "../site/index.ts";
import { measuredBy, type Rule, written } from "./alert-words.ts";
import styles from "./alerts.module.css";
import { ruleValueQuery } from "./rules-query.ts";
import { t } from "./screen-texts.ts";

type Trial = Answer<"POST /alerts/rules/{id}/test">;

/** Current value of a rule and a button that sends a test to its recipients. */
export function RuleTrial({ rule }: { readonly rule: Rule }) {
	const site = useSite();
	const query = useQuery(ruleValueQuery(site.id, rule.id));
	const send = useChange({
		run: () =>
			call("POST /alerts/rules/{id}/test", {
				path: { id: rule.id },
				query: { account_id: site.id },
				body: { send_notification: true },
			}),
		stale: [],
		done: ({ notification_sent: isSent }) => (isSent ? t.sent : t.notSent),
	});
	return (
		<div className={styles.trial}>
			<Loaded query={query}>{(trial) => <p>{said(trial, rule, site.currency)}</p>}</Loaded>
			<p className={styles.trialEnd}>
				<Button small disabled={send.isBusy} onClick={() => send.run(undefined)}>
					{t.send}
				</Button>
				<span className={styles.hint}>{t.sendHint}</span>
			</p>
		</div>
	);
}

function said(trial: Trial, rule: Rule, currency: string): string {
	const { current_value: now, baseline_value: usual, change_percentage: change } = trial;
	if (!trial.success || now === null) return t.unreadable;
	const text = (value: number) => written(measuredBy(rule), value, currency);
	const measured = usual === null ? t.now(text(now)) : t.nowUsually(text(now), text(usual));
	const verdict = trial.would_trigger
		? trial.severity === "critical"
			? t.wouldFireHard
			: t.wouldFire
		: t.wouldNotFire;
	const end = trial.message === "insufficient_data" ? t.tooLittle : verdict;
	return `${measured}${change === null ? "" : ` (${signedPercent(change)})`}. ${end}`;
}
