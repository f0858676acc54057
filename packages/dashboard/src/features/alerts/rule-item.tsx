import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { signedPercent } from "../../lib/format.ts";
import { useNear } from "../../lib/use-near.ts";
import { Button } from "../../ui/button/button.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { Item } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { useSite } from "../site/index.ts";
import { measuredBy, type Rule, ruleSentence, written } from "./alert-words.ts";
import styles from "./alerts.module.css";
import { RemoveRule } from "./remove-rule.tsx";
import { ruleValueQuery } from "./rules-query.ts";
import { t } from "./screen-texts.ts";
import { useRules } from "./use-rules.ts";

const tones = { ok: "good", firing: "bad", insufficient_data: "muted", error: "warn" } as const;

/** One rule: its state, current value and actions. */
export function RuleItem({ rule, onEdit }: { readonly rule: Rule; readonly onEdit: () => void }) {
	const { role, currency } = useSite();
	const { turn } = useRules();
	const [isTried, setTried] = useState(false);
	const state = rule.is_active ? { text: t.states[rule.state], tone: tones[rule.state] } : undefined;
	return (
		<Item
			title={rule.name}
			state={state ?? { text: t.off, tone: "muted" }}
			facts={
				<>
					<span className={styles.line}>{ruleSentence(rule, currency)}</span>
					<span className={styles.line}>
						<LastValue rule={rule} /> {[firedText(rule), receiversOf(rule)].join(" · ")}
					</span>
				</>
			}
			actions={
				may("PATCH /alerts/rules/{id}", role) && (
					<>
						<Button small aria-expanded={isTried} aria-label={t.tryRule(rule.name)} onClick={() => setTried(!isTried)}>
							{t.tryIt}
						</Button>
						<Button small onClick={onEdit}>
							{t.change}
						</Button>
						<Button small disabled={turn.isBusy} onClick={() => turn.run(rule)}>
							{rule.is_active ? t.turnOff : t.turnOn}
						</Button>
						<RemoveRule rule={rule}>{t.remove}</RemoveRule>
					</>
				)
			}
		>
			{isTried && <RuleTrial rule={rule} />}
		</Item>
	);
}

const firedText = ({ trigger_count: times }: Rule): string => (times === 0 ? t.neverFired : t.times(times));

function receiversOf(rule: Rule): string {
	const mails = rule.email_recipients.length > 0 ? rule.email_recipients.join(", ") : t.owners;
	const all = [
		...(rule.notify_email ? [mails] : []),
		...(rule.notify_slack ? ["Slack"] : []),
		...(rule.notify_webhook ? [hostOf(rule.custom_webhook_url)] : []),
	];
	return all.length > 0 ? t.tells(all.join(", ")) : t.tellsNobody;
}

const hostOf = (url: string | null): string => (url !== null && URL.canParse(url) ? new URL(url).host : "URL");

/** Current value; hidden without permission and for inactive rules. */
function LastValue({ rule }: { readonly rule: Rule }) {
	const { id: site, role, currency } = useSite();
	const [ref, isNear] = useNear<HTMLSpanElement>();
	const isAsked = isNear && rule.is_active && may("POST /alerts/rules/{id}/test", role);
	const { data } = useQuery({ ...ruleValueQuery(site, rule.id), enabled: isAsked });
	const { current_value: now, baseline_value: usual } = data ?? {};
	const text = (value: number) => written(measuredBy(rule), value, currency);
	return (
		<span ref={ref} className={styles.now}>
			{typeof now === "number" &&
				`${typeof usual === "number" ? t.nowUsually(text(now), text(usual)) : t.now(text(now))} · `}
		</span>
	);
}

type Trial = Answer<"POST /alerts/rules/{id}/test">;

/** Current value of a rule and a button that sends a test to its recipients. */
function RuleTrial({ rule }: { readonly rule: Rule }) {
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
