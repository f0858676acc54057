import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { may } from "../../api/may.ts";
import { useNear } from "../../lib/use-near.ts";
import { Button } from "../../ui/button/button.tsx";
import { Item } from "../../ui/items/items.tsx";
import { useSite } from "../site/index.ts";
import { measuredBy, type Rule, ruleSentence, written } from "./alert-words.ts";
import styles from "./alerts.module.css";
import { RemoveRule } from "./remove-rule.tsx";
import { RuleTrial } from "./rule-trial.tsx";
import { ruleValueQuery } from "./rules-query.ts";
import { t } from "./screen-texts.ts";
import { useRules } from "./use-rules.ts";

const tones = { ok: "good", firing: "bad", insufficient_data: "muted", error: "warn" } as const;

interface RuleItemProps {
	readonly rule: Rule;
	readonly onEdit: () => void;
}

/** One rule: its state, current value and actions. */
export function RuleItem({ rule, onEdit }: RuleItemProps) {
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
