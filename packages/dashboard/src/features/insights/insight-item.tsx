import { useRouter } from "@tanstack/react-router";
import { may } from "../../api/may.ts";
import { count, days, difference, exact } from "../../lib/format.ts";
import { Button, buttonClass } from "../../ui/button/button.tsx";
import { Item } from "../../ui/items/items.tsx";
import { useSite } from "../site/index.ts";
import styles from "./insights.module.css";
import type { Insight } from "./insights-query.ts";
import { t as strip } from "./strip-texts.ts";
import { t } from "./texts.ts";
import { useInsights } from "./use-insights.ts";

const tones = { red: "bad", yellow: "warn", green: "good" } as const;

/** One insight: its statement, evidence and actions. */
export function InsightItem({ insight }: { readonly insight: Insight }) {
	const site = useSite();
	const { read, unread, dismiss, feedback } = useInsights(site.id);
	const { id, title, economic_impact: impact } = insight;
	const named = (text: string) => `${text}: ${title}`;
	const isOver = insight.metadata["is_open"] === false;
	const facts = [
		insight.description,
		...(impact === null ? [] : [t.worth(difference(impact, "money", site.currency))]),
		...(isOver ? [t.over] : []),
	];
	return (
		<Item
			title={title}
			state={{ text: strip.severities[insight.severity], tone: tones[insight.severity] }}
			facts={facts.join(" · ")}
			actions={
				<>
					{insight.deep_link && <LookLink to={insight.deep_link} label={named(t.look)} />}
					{may("PATCH /lens/insights/{id}/read", site.role) && (
						<>
							<Button
								small
								aria-label={named(insight.is_read ? t.markUnread : t.read)}
								onClick={() => (insight.is_read ? unread : read).run(id)}
							>
								{insight.is_read ? t.markUnread : t.read}
							</Button>
							<Button small aria-label={named(t.dismiss)} disabled={dismiss.isBusy} onClick={() => dismiss.run(id)}>
								{t.dismiss}
							</Button>
						</>
					)}
				</>
			}
		>
			<p className={styles.advice}>{insight.recommendation}</p>
			<details className={styles.evidence}>
				<summary>{t.evidence}</summary>
				<Evidence insight={insight} />
				{may("POST /lens/insights/{id}/feedback", site.role) && (
					<p className={styles.feedback}>
						{t.was}
						{(["helpful", "not_helpful"] as const).map((type) => (
							<Button key={type} small look="quiet" onClick={() => feedback.run({ id, type })}>
								{type === "helpful" ? t.helpful : t.notHelpful}
							</Button>
						))}
					</p>
				)}
			</details>
		</Item>
	);
}

/** A way to a screen whose address the server has written. */
function LookLink({ to, label }: { readonly to: string; readonly label: string }) {
	const router = useRouter();
	return (
		<a
			href={to}
			aria-label={label}
			className={buttonClass("plain", true)}
			onClick={(event) => {
				if (event.metaKey || event.ctrlKey || event.shiftKey) return;
				event.preventDefault();
				router.history.push(to);
			}}
		>
			{t.look}
		</a>
	);
}

const kinds = { count: "count", percent: "rate", currency: "money" } as const;

/** The numbers that an insight rests on. */
function Evidence({ insight: { evidence } }: { readonly insight: Insight }) {
	const { currency } = useSite();
	if (evidence === null) return null;
	const shown = (value: number) => exact(value, kinds[evidence.unit], currency);
	const within = (value: number, interval: { readonly low: number; readonly high: number } | null) =>
		interval === null ? shown(value) : `${shown(value)} (${shown(interval.low)} – ${shown(interval.high)})`;
	const { baseline_value: baseline, change_percentage: change, conversions } = evidence;
	const rows: readonly (readonly [label: string, value: string])[] = [
		[t.facts.now, within(evidence.current_value, evidence.current_interval)],
		...(baseline === null
			? []
			: ([
					[
						t.facts.before,
						[evidence.compared_with, within(baseline, evidence.baseline_interval)].filter(Boolean).join(" "),
					],
				] as const)),
		...(change === null ? [] : ([[t.facts.change, exact(change, "rate")]] as const)),
		[t.facts.threshold, exact(evidence.threshold, "rate")],
		[t.facts.confidence, t.confidences[evidence.confidence]],
		[
			t.facts.sample,
			t.sample(evidence.days_with_data, count(evidence.events), conversions === null ? undefined : count(conversions)),
		],
		[t.facts.period, days(evidence.period.start, evidence.period.end)],
		[t.facts.baseline, days(evidence.baseline_period.start, evidence.baseline_period.end)],
	];
	return (
		<dl className={styles.facts}>
			{rows.map(([label, value]) => (
				<div key={label}>
					<dt>{label}</dt>
					<dd>{value}</dd>
				</div>
			))}
		</dl>
	);
}
