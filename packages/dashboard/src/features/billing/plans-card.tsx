import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { classes } from "../../lib/classes.ts";
import { count, price } from "../../lib/format.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { State } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { Tabs } from "../../ui/tabs/tabs.tsx";
import type { Organization } from "../organizations/index.ts";
import styles from "./billing.module.css";
import { CheckoutDialog } from "./checkout-dialog.tsx";
import { type Interval, overviewQuery, type Plan, plansQuery, type Tier } from "./queries.ts";
import { t as selling } from "./selling-texts.ts";
import { t } from "./texts.ts";

const intervals = ["monthly", "yearly"] as const;

/** All plans side by side. */
export function PlansCard({ organization }: { readonly organization: Organization }) {
	const plans = useQuery(plansQuery);
	const [interval, setInterval] = useState<Interval>("monthly");
	const panel = useId();
	const { data: overview } = useQuery(overviewQuery(organization.id));
	const [chosen, setChosen] = useState<Sold>();
	const isLive = overview?.subscription != null && overview.subscription.status !== "canceled";
	const mayBuy = overview !== undefined && !isLive;
	return (
		<Card
			label={t.plans}
			title={t.plans}
			actions={
				<Tabs
					label={t.paid}
					tabs={intervals.map((key) => ({ key, label: t.intervals[key] }))}
					chosen={interval}
					onChoose={setInterval}
					panel={panel}
				/>
			}
		>
			<div id={panel} role="tabpanel" aria-label={t.intervals[interval]}>
				<Loaded query={plans}>
					{(all) => (
						<ul className={styles.plans}>
							{all.map((plan) => (
								<PlanColumn key={plan.tier} plan={plan} own={organization.plan_tier} interval={interval}>
									{mayBuy && isSold(plan) && (
										<Button aria-label={selling.chooseOne(plan.name)} onClick={() => setChosen(plan)}>
											{selling.choose}
										</Button>
									)}
								</PlanColumn>
							))}
						</ul>
					)}
				</Loaded>
				{isLive && <p className="muted">{selling.changeIn}</p>}
			</div>
			{chosen && (
				<CheckoutDialog
					organization={organization}
					plan={chosen}
					interval={interval}
					onClose={() => setChosen(undefined)}
				/>
			)}
		</Card>
	);
}

type Sold = Plan & { readonly tier: "growth" | "scale" };

const isSold = (plan: Plan): plan is Sold => plan.tier === "growth" || plan.tier === "scale";

interface PlanColumnProps {
	readonly plan: Plan;
	readonly own: Tier;
	readonly interval: Interval;
	/** The way to it. */
	readonly children?: ReactNode;
}

function PlanColumn({ plan, own, interval, children }: PlanColumnProps) {
	const isOwn = plan.tier === own;
	return (
		<li className={classes(styles.plan, isOwn && styles.own)}>
			<h3 className={styles.planName}>
				{plan.name}
				{isOwn ? <State text={t.yours} tone="good" /> : plan.is_popular && <State text={t.popular} tone="muted" />}
			</h3>
			<p>{t.about[plan.tier]}</p>
			<Price plan={plan} interval={interval} />
			<ul className={styles.has}>
				{contentsOf(plan).map((line) => (
					<li key={line}>{line}</li>
				))}
			</ul>
			<div>{children}</div>
		</li>
	);
}

function Price({
	plan: { price_monthly: monthly, price_yearly: yearly },
	interval,
}: Pick<PlanColumnProps, "plan" | "interval">) {
	const cents = interval === "monthly" ? monthly : yearly;
	if (cents === null) return <p className={styles.price}>{t.onRequest}</p>;
	if (cents === 0) return <p className={styles.price}>{t.free}</p>;
	return (
		<p className={styles.price}>
			{interval === "monthly" ? t.aMonth(price(cents)) : t.aYear(price(cents))}
			{interval === "yearly" && <span className="caption">{t.thatIs(price(Math.round(cents / 12)))}</span>}
		</p>
	);
}

/** Features of a plan as lines. */
function contentsOf(plan: Plan): readonly string[] {
	const { monthly_events: monthly, lifetime_events: everything, export_rows: rows } = plan;
	return [
		everything !== null ? t.eventsInAll(count(everything)) : t.eventsAMonth(monthly === null ? null : count(monthly)),
		t.sites(plan.accounts),
		t.seats(plan.seats),
		t.requests(count(plan.api_requests_per_minute)),
		t.exports(plan.concurrent_exports, rows === null ? null : count(rows)),
		...plan.features.map((feature) => t.features[feature]),
	];
}
