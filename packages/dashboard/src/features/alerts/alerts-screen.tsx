import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { read } from "../../api/read.ts";
import { classes } from "../../lib/classes.ts";
import { ago, count, signedPercent } from "../../lib/format.ts";
import { useNear } from "../../lib/use-near.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { Item } from "../../ui/items/items.tsx";
import { LoadedItems } from "../../ui/items/loaded-items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { report, ScreenHead, useSite } from "../site/index.ts";
import { measuredBy, type Rule, ruleSentence, written } from "./alert-words.ts";
import styles from "./alerts.module.css";
import { t as formTexts } from "./form-texts.ts";
import { GoalForm } from "./goal-form.tsx";
import { HistoryCard } from "./history-card.tsx";
import { RemoveRule } from "./remove-rule.tsx";
import { RuleForm } from "./rule-form.tsx";
import { rulesQuery, ruleValueQuery } from "./rules-query.ts";
import { t } from "./screen-texts.ts";
import { useRules } from "./use-rules.ts";

/** Rules, alerts and recipients. */
export function AlertsScreen() {
	return (
		<>
			<ScreenHead title={t.title} />
			<div className="column-12">
				<p className={styles.about}>{t.about}</p>
				<AlertFigures />
				<RulesCard />
				<HistoryCard />
			</div>
		</>
	);
}

/** How much the rules of the site found. */
function AlertFigures() {
	const query = { account_id: useSite().id };
	const stats = useQuery(read("GET /alerts/stats", { query }));
	return (
		<Card label={t.figures}>
			<Loaded query={stats} skeleton={<div className={classes("placeholder", styles.figuresSkeleton)} />}>
				{(data) => (
					<dl className={styles.figures}>
						<Figure name={t.active} value={count(data.active_rules)} />
						<Figure
							name={t.fired}
							value={`${count(data.total_triggers_24h)} · ${count(data.total_triggers_7d)} · ${count(data.total_triggers_30d)}`}
							note={`${t.in24h} · ${t.in7d} · ${t.in30d}`}
						/>
						<Figure name={t.unseen} value={count(data.unacknowledged_alerts)} />
						<Figure
							name={t.last}
							value={data.last_trigger === null ? t.never : ago(data.last_trigger)}
							note={data.most_triggered_rule === null ? undefined : `${t.most}: ${data.most_triggered_rule}`}
						/>
					</dl>
				)}
			</Loaded>
		</Card>
	);
}

interface FigureProps {
	readonly name: string;
	readonly value: string;
	readonly note?: string | undefined;
}

const Figure = ({ name, value, note }: FigureProps) => (
	<div className={styles.figure}>
		<dt>{name}</dt>
		<dd>{value}</dd>
		{note && <dd className="caption">{note}</dd>}
	</div>
);

/** The rules of the site. */
function RulesCard() {
	const site = useSite();
	const rules = useQuery(rulesQuery(site.id));
	const [edited, setEdited] = useState<Rule | "new">();
	const mayAdd = may("POST /alerts/rules", site.role);
	const add = (text: string, look: "plain" | "primary") => (
		<Button look={look} small={look === "plain"} onClick={() => setEdited("new")}>
			<Plus size={16} aria-hidden="true" /> {text}
		</Button>
	);
	return (
		<Card title={t.rules} label={t.rules} actions={mayAdd && rules.data?.total !== 0 && add(t.newRule, "plain")}>
			<LoadedItems
				label={t.rules}
				query={rules}
				of={(data) => data.rules}
				empty={
					<div className={styles.empty}>
						<p>{t.noRules}</p>
						{mayAdd && add(t.firstRule, "primary")}
					</div>
				}
			>
				{(rule) => <RuleItem key={rule.id} rule={rule} onEdit={() => setEdited(rule)} />}
			</LoadedItems>
			{edited && <Editor edited={edited} onClose={() => setEdited(undefined)} />}
		</Card>
	);
}

/** The form of a rule, or of a goal, above the screen. */
function Editor({ edited, onClose }: { readonly edited: Rule | "new"; readonly onClose: () => void }) {
	const size = useSize();
	if (edited !== "new" && edited.alert_type === "goal_reached") {
		return (
			<Dialog title={t.changeGoal} onClose={onClose}>
				<GoalForm goal={edited} onDone={onClose} />
			</Dialog>
		);
	}
	const rule = edited === "new" ? undefined : edited;
	return (
		<Dialog title={rule ? formTexts.changeRule : formTexts.newRule} onClose={onClose}>
			{/* What the form proposes depends on the size of the site; without an answer it asks nothing of it. */}
			{size !== undefined && <RuleForm rule={rule} pageViewsADay={size} onDone={onClose} />}
		</Dialog>
	);
}

const days = 30;

/** Page views a day of the last thirty; 0 when unknown, undefined while loading. */
function useSize(): number | undefined {
	const { id } = useSite();
	const query = useQuery(report("GET /stats/overview", { site_id: id, period: "30d", series: ["page_views"] }));
	if (query.isError) return 0;
	return query.data && Math.round(query.data.traffic.page_views / days);
}

const tones = { ok: "good", firing: "bad", insufficient_data: "muted", error: "warn" } as const;

/** One rule: its state, current value and actions. */
function RuleItem({ rule, onEdit }: { readonly rule: Rule; readonly onEdit: () => void }) {
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
				<span className="caption">{t.sendHint}</span>
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
