import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { isPaidHere } from "../../api/boot.ts";
import { call } from "../../api/client.ts";
import { asFailure } from "../../lib/failure.ts";
import { count, price } from "../../lib/format.ts";
import { viewValue } from "../../lib/view.ts";
import { Button, buttonClass } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { State } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { failureText } from "../../ui/page/failure-text.ts";
import { toast } from "../../ui/toast/toast.tsx";
import type { Organization } from "../organizations/index.ts";
import { useSiteSearch } from "../site/index.ts";
import styles from "./billing.module.css";
import { dayWords } from "./period-words.ts";
import { type Overview, overviewQuery, type Plan, plansQuery, type Subscription } from "./queries.ts";
import { t as selling } from "./selling-texts.ts";
import { t } from "./texts.ts";

interface SubscriptionCardProps {
	readonly organization: Organization;
	readonly isSuperadmin: boolean;
}

const tones = { trialing: "good", active: "good", past_due: "bad", canceled: "muted" } as const;

/** A purchase is confirmed within seconds. */
const awaitedMs = 4_000;

/** The plan that holds, what it costs, and how the subscription stands. */
export function SubscriptionCard({ organization, isSuperadmin }: SubscriptionCardProps) {
	const { view } = useSiteSearch();
	const isBought = isPaidHere && viewValue(view, "bought") !== undefined;
	const overview = useQuery({
		...overviewQuery(organization.id),
		refetchInterval: ({ state }) => (isBought && state.data?.subscription === null ? awaitedMs : false),
	});
	const { data: plans } = useQuery(plansQuery);
	const plan = plans?.find(({ tier }) => tier === organization.plan_tier);
	const status = overview.data?.subscription?.status;
	return (
		<Card
			label={t.plan}
			title={t.plan}
			actions={status && <State text={t.subscriptionStates[status]} tone={tones[status]} />}
		>
			<Loaded query={overview}>
				{(data) => (
					<div className={styles.part}>
						{isBought && data.subscription === null && (
							<p role="status" className={styles.bought}>
								{selling.bought}
							</p>
						)}
						<p className={styles.figure}>{plan?.name ?? organization.plan_tier}</p>
						{isPaidHere && <p>{priceOf(plan, data.subscription)}</p>}
						{data.subscription !== null && <p>{stateOf(data.subscription)}</p>}
						<Payment overview={data} />
						<Allowed organization={organization} />
						{isPaidHere && data.subscription !== null && data.subscription.status !== "canceled" && (
							<SubscriptionActions organization={organization} subscription={data.subscription} />
						)}
						{!isPaidHere && <BySomebodyElse organization={organization} isSuperadmin={isSuperadmin} />}
					</div>
				)}
			</Loaded>
		</Card>
	);
}

/** Price of the plan for the purchased interval. */
function priceOf(plan: Plan | undefined, subscription: Subscription | null): string {
	if (plan === undefined) return "";
	const { price_monthly: monthly, price_yearly: yearly } = plan;
	if (monthly === null || yearly === null) return t.onRequest;
	if (monthly === 0) return t.free;
	return subscription?.billing_interval === "yearly" ? t.aYear(price(yearly)) : t.aMonth(price(monthly));
}

/** The future of the subscription, in one sentence. */
function stateOf({ status, trial_end: trial, current_period_end: end, ...rest }: Subscription): string {
	if (rest.cancel_at_period_end) return t.endsOn(dayWords(end));
	if (status === "trialing" && trial !== null) return t.trialUntil(dayWords(trial));
	if (status === "past_due") return t.pastDue;
	if (status === "canceled") return t.canceled;
	return t.renewsOn(dayWords(end));
}

/** Used members and sites of the plan. */
function Allowed({ organization }: { readonly organization: Organization }) {
	const { member_count: people, site_count: sites, plan_limits: limits } = organization;
	const most = (limit: number | null) => (limit === null ? t.unlimited : count(limit));
	return (
		<dl className={styles.limits}>
			<dt>{t.sitesTaken}</dt>
			<dd>{t.taken(count(sites), most(limits.sites))}</dd>
			<dt>{t.peopleTaken}</dt>
			<dd>{t.taken(count(people), most(limits.seats))}</dd>
			<dt>{t.requestsAMinute}</dt>
			<dd>{count(limits.requests_per_minute)}</dd>
		</dl>
	);
}

function Payment({ overview: { upcoming_invoice: next, payment_method: card } }: { readonly overview: Overview }) {
	return (
		<>
			{next !== null && (
				<p>
					{next.due_at === null
						? t.nextInvoice(price(next.amount_due, next.currency.toUpperCase()))
						: t.nextInvoiceOn(price(next.amount_due, next.currency.toUpperCase()), dayWords(next.due_at))}
				</p>
			)}
			{card !== null && <p className="muted">{t.card(card.brand, card.last4, `${card.exp_month}/${card.exp_year}`)}</p>}
		</>
	);
}

const BySomebodyElse = ({ organization, isSuperadmin }: SubscriptionCardProps) => (
	<>
		<p className="muted">{t.operatorSets}</p>
		{isSuperadmin && (
			<p>
				<Link
					to="/admin/$screen"
					params={{ screen: "organizations" }}
					search={{ q: organization.slug }}
					className={buttonClass("plain", true)}
				>
					{t.setPlan}
				</Link>
			</p>
		)}
	</>
);

interface SubscriptionActionsProps {
	readonly organization: Organization;
	readonly subscription: Subscription;
}

const stale = [
	"GET /billing/overview",
	"GET /billing/subscription/history",
	"GET /organizations",
	"GET /organizations/{slug}",
] as const;

/** Cards and invoices at the provider's pages; the end of the subscription, and taking that back. */
function SubscriptionActions({ organization: { id }, subscription }: SubscriptionActionsProps) {
	const [isAsking, setAsking] = useState(false);
	const portal = usePortal(id);
	const query = { org_id: id };
	const cancel = useChange({
		run: () => call("POST /billing/subscription/cancel", { query }),
		stale,
		done: ({ cancels_at: end }) => selling.cancelled(dayWords(end)),
	});
	const resume = useChange({
		run: () => call("POST /billing/subscription/resume", { query }),
		stale,
		done: () => selling.resumed,
	});
	const end = dayWords(subscription.current_period_end);
	const isEnding = subscription.cancel_at_period_end;
	return (
		<div className="row">
			<Button disabled={portal.isBusy} onClick={portal.open}>
				{selling.portal}
			</Button>
			<Button look={isEnding ? "primary" : "danger"} onClick={() => setAsking(true)}>
				{isEnding ? selling.resume : selling.cancel}
			</Button>
			{isAsking &&
				(isEnding ? (
					<ConfirmDialog
						title={selling.resume}
						goes={[selling.resumeGoes]}
						stays={[selling.resumeStays(end)]}
						action={selling.resume}
						onConfirm={() => resume.mutateAsync(undefined)}
						onClose={() => setAsking(false)}
					/>
				) : (
					<ConfirmDialog
						title={selling.cancel}
						goes={[selling.cancelGoes(end)]}
						stays={[selling.cancelStays(end)]}
						action={selling.cancel}
						onConfirm={() => cancel.mutateAsync(undefined)}
						onClose={() => setAsking(false)}
					/>
				))}
		</div>
	);
}

/** Leads to the provider's pages. */
function usePortal(id: string) {
	const open = useMutation({
		mutationFn: () =>
			call("POST /billing/portal", { body: { org_id: id, return_url: `${location.origin}${location.pathname}` } }),
		onSuccess: ({ portal_url: url }) => location.assign(url),
		onError: (error) => toast(failureText(asFailure(error))),
	});
	return { isBusy: open.isPending, open: () => open.mutate() };
}
