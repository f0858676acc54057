import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { isPaidHere } from "../../api/boot.ts";
import { type Answer, call } from "../../api/client.ts";
import { asFailure } from "../../lib/failure.ts";
import { ago, count, exact, figure, percent, price, time } from "../../lib/format.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Card } from "../../ui/card/card.tsx";
import { BarChart } from "../../ui/charts/bar-chart.tsx";
import { type Column, DataTable } from "../../ui/data-table/data-table.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { Item, State } from "../../ui/items/items.tsx";
import { LoadedItems } from "../../ui/items/loaded-items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { Meter } from "../../ui/meter/meter.tsx";
import { OuterFrame } from "../account/index.ts";
import { type Organization, organizationQuery, roleOf } from "../organizations/index.ts";
import { actingQuery, meQuery } from "../site/index.ts";
import styles from "./billing.module.css";
import { dayWords, periodWords } from "./period-words.ts";
import { PlansCard } from "./plans-card.tsx";
import {
	accountingQuery,
	changesQuery,
	invoicesQuery,
	monthsQuery,
	overageQuery,
	type Usage,
	usageQuery,
} from "./queries.ts";
import { SubscriptionCard } from "./subscription-card.tsx";
import { t } from "./texts.ts";

/** Plan, usage and payments of an organization. */
export function BillingScreen() {
	const { slug } = useParams({ strict: false }) as { slug: string };
	const query = useQuery({
		...organizationQuery(slug),
		// There is none, or it is not the reader's: asking again changes nothing.
		retry: (count, error) => asFailure(error).status !== 404 && count < 2,
	});
	return (
		<OuterFrame
			title={isPaidHere ? t.title : t.usageTitle}
			actions={
				<Link to="/organizations/$slug" params={{ slug }}>
					{query.data?.name ?? t.organization}
				</Link>
			}
		>
			<Loaded query={query}>{(organization) => <Allowed organization={organization} />}</Loaded>
		</OuterFrame>
	);
}

/** The parts, for owners who are there themselves. */
function Allowed({ organization }: { readonly organization: Organization }) {
	const { data: me } = useSuspenseQuery(meQuery);
	const acting = useQuery(actingQuery);
	if (roleOf(organization, me.role) !== "owner") return <Card>{t.ownersOnly}</Card>;
	return (
		<Loaded query={acting}>
			{({ is_impersonating: isActing }) =>
				isActing ? (
					<Card>{t.notWhileActing}</Card>
				) : (
					<Parts organization={organization} isSuperadmin={me.role === "superadmin"} />
				)
			}
		</Loaded>
	);
}

interface PartsProps {
	readonly organization: Organization;
	readonly isSuperadmin: boolean;
}

const Parts = ({ organization, isSuperadmin }: PartsProps) => (
	<div className="column-16">
		<div className={styles.two}>
			<SubscriptionCard organization={organization} isSuperadmin={isSuperadmin} />
			<UsageCard organization={organization} />
		</div>
		<div className={styles.two}>
			<MonthsCard organization={organization} />
			<OverageCard organization={organization} />
		</div>
		{isPaidHere && (
			<>
				<PlansCard organization={organization} />
				<InvoicesCard organization={organization} />
				<AccountingCard organization={organization} />
			</>
		)}
		<ChangesCard organization={organization} />
	</div>
);

/** Where invoices go, when not to the owner who pays. */
function AccountingCard({ organization: { id } }: { readonly organization: Organization }) {
	const query = useQuery(accountingQuery(id));
	return (
		<Card label={t.accounting} title={t.accounting}>
			<Loaded query={query}>
				{({ accounting_email: email }) => <AddressForm key={email} id={id} email={email} />}
			</Loaded>
		</Card>
	);
}

interface AddressFormProps {
	/** Of the organization. */
	readonly id: string;
	readonly email: string | null;
}

function AddressForm({ id, email }: AddressFormProps) {
	const put = (next: string | null) =>
		call("PUT /billing/accounting-email", { query: { org_id: id }, body: { email: next } });
	const change = useChange({
		run: put,
		stale: ["GET /billing/accounting-email"],
		done: (_, next) => (next === null ? t.toOwner : t.toAddress(next)),
		undo: () => put(email),
	});
	const form = useForm((values) => change.mutateAsync(textOf(values, "email").trim() || null), {
		draft: "accounting-email",
	});
	return (
		<Form form={form} className={styles.form}>
			<Field label={t.email} hint={t.emailHint} name="email" type="email" maxLength={254} defaultValue={email ?? ""} />
			<div>
				<Submit look="plain" />
			</div>
		</Form>
	);
}

/** Events of the last periods, newest first. */
function MonthsCard({ organization }: { readonly organization: Organization }) {
	const query = useQuery(monthsQuery(organization.id));
	return (
		<Card label={t.months} title={t.months}>
			<Loaded query={query} isEmpty={(periods) => periods.length === 0} empty={<p>{t.noMonths}</p>}>
				{(periods) => (
					<BarChart
						label={t.months}
						rows={periods.map(({ period_start: start, period_end: end, human_events: events }) => ({
							key: start,
							label: periodWords(start, end),
							values: [{ value: events, text: figure(events, "count"), whole: exact(events, "count") }],
						}))}
					/>
				)}
			</Loaded>
		</Card>
	);
}

type Change = Answer<"GET /billing/subscription/history">[number];

/** Changes of the subscription, newest first. */
function ChangesCard({ organization }: { readonly organization: Organization }) {
	const query = useQuery(changesQuery(organization.id));
	return (
		<Card label={t.changes} title={t.changes}>
			<LoadedItems label={t.changes} query={query} of={(changes) => changes} empty={<p>{t.noChanges}</p>}>
				{(change) => (
					<Item
						key={change.id}
						title={t.acts[change.action] ?? change.action}
						state={change.success ? undefined : { text: t.failed, tone: "bad" }}
						facts={[time(change.created_at), byOf(change), ...differences(change)].join(" · ")}
					>
						{change.error_message !== null && <p>{change.error_message}</p>}
					</Item>
				)}
			</LoadedItems>
		</Card>
	);
}

const byOf = ({ source, user_name: name, user_email: email }: Change): string => name ?? email ?? t.sources[source];

const told = ["status", "plan_tier", "billing_interval", "cancel_at_period_end"] as const;

/** Old and new state: `past_due → active`. */
const differences = ({ previous_state: before, new_state: after }: Change): readonly string[] =>
	told
		.filter((name) => before?.[name] !== after?.[name] && after?.[name] !== undefined)
		.map((name) =>
			before?.[name] === undefined ? said(after?.[name]) : `${said(before[name])} → ${said(after?.[name])}`,
		);

const said = (value: unknown): string => t.values[String(value)] ?? String(value);

type Invoice = Answer<"GET /billing/invoices">[number];

const tones = { draft: "muted", open: "warn", paid: "good", uncollectible: "bad", void: "muted" } as const;

const columns: readonly Column<Invoice>[] = [
	{ key: "number", label: t.number, cell: ({ number, id }) => number ?? id },
	{ key: "day", label: t.day, cell: ({ created_at: at }) => dayWords(at) },
	{ key: "due", label: t.amount, isNumber: true, cell: (row) => price(row.amount_due, row.currency.toUpperCase()) },
	{
		key: "status",
		label: t.status,
		cell: ({ status }) => status && <State text={t.invoiceStates[status]} tone={tones[status]} />,
	},
	{ key: "files", label: t.document, cell: (row) => <Documents invoice={row} /> },
];

/** Invoices with their state. */
function InvoicesCard({ organization }: { readonly organization: Organization }) {
	const query = useQuery(invoicesQuery(organization.id));
	return (
		<Card label={t.invoices} title={t.invoices}>
			<Loaded query={query} isEmpty={(invoices) => invoices.length === 0} empty={<p>{t.noInvoices}</p>}>
				{(invoices) => <DataTable label={t.invoices} columns={columns} rows={invoices} rowKey={({ id }) => id} />}
			</Loaded>
		</Card>
	);
}

const Documents = ({ invoice: { pdf_url: pdf, hosted_invoice_url: page } }: { readonly invoice: Invoice }) => (
	<>
		{pdf !== null && (
			<a href={pdf} target="_blank" rel="noreferrer">
				PDF
			</a>
		)}
		{pdf !== null && page !== null && " · "}
		{page !== null && (
			<a href={page} target="_blank" rel="noreferrer">
				{t.look}
			</a>
		)}
	</>
);

const usageTones = { ok: "good", warning: "warn", exceeded: "bad", stopped: "bad" } as const;

/** Events of the period over all sites, and the effect of the limit. */
function UsageCard({ organization }: { readonly organization: Organization }) {
	const query = useQuery(usageQuery(organization.id));
	const status = query.data?.status;
	return (
		<Card
			label={t.usage}
			title={t.usage}
			actions={status && !query.data?.is_unlimited && <State text={t.states[status]} tone={usageTones[status]} />}
		>
			<Loaded query={query}>{(usage) => <Events usage={usage} />}</Loaded>
		</Card>
	);
}

/** On this plan the limit is one for ever. */
const isForEver = ({ plan_tier: tier }: Usage): boolean => tier === "free";

function Events({ usage }: { readonly usage: Usage }) {
	const { human_events: events, agent_events: agents, event_limit: limit, status } = usage;
	const when = isForEver(usage) ? t.inAll : periodWords(usage.period_start, usage.period_end);
	return (
		<div className={styles.part}>
			<p className={styles.figure}>{count(events)}</p>
			{limit === null ? (
				<p>{t.noLimit(when)}</p>
			) : (
				<div>
					<Meter share={events / limit} isOver={status === "exceeded" || status === "stopped"} />
					<p>
						{t.ofLimit(percent(usage.percentage), count(limit), when)}
						{!isForEver(usage) && ` ${t.daysLeft(usage.days_remaining)}`}
					</p>
				</div>
			)}
			<p className="muted">{t.agents(count(agents))}</p>
			{limit !== null && <p>{t.follows[usage.plan_tier]}</p>}
			<p className="caption">{t.counted(ago(usage.last_synced_at))}</p>
		</div>
	);
}

type Overage = Answer<"GET /billing/overage-status">;
type Judged = Overage["history"][number];

const overageColumns: readonly Column<Judged>[] = [
	{ key: "period", label: t.period, cell: (row) => periodWords(row.period_start, row.period_end) },
	{ key: "events", label: t.events, isNumber: true, cell: (row) => count(row.total_events) },
	{ key: "limit", label: t.limit, isNumber: true, cell: (row) => count(row.event_limit) },
	{
		key: "over",
		label: t.over,
		isNumber: true,
		cell: ({ overage_percent: over }) => (over === 0 ? "–" : percent(over)),
	},
	{ key: "followed", label: t.followed, cell: (row) => t.actions[row.action_taken] },
];

/** Consequences of overages, and whether one more can be forgiven. */
function OverageCard({ organization }: { readonly organization: Organization }) {
	const query = useQuery(overageQuery(organization.id));
	const isMonthly = organization.plan_limits.monthly_events !== null;
	return (
		<Card label={t.overage} title={t.overage}>
			<Loaded query={query}>
				{({ history, ...forgiveness }) => (
					<div className={styles.part}>
						<p>{isMonthly ? t.forgiveness : t.follows[organization.plan_tier]}</p>
						{isMonthly && (
							<p>
								<strong>
									{forgiveness.forgiveness_available
										? t.forgivable(forgiveness.forgiveness_year)
										: t.forgiven(forgiveness.forgiveness_year)}
								</strong>
							</p>
						)}
						{history.length === 0 ? (
							<p className="muted">{t.noneJudged}</p>
						) : (
							<DataTable
								label={t.overage}
								columns={overageColumns}
								rows={history}
								rowKey={({ period_start: start }) => start}
							/>
						)}
					</div>
				)}
			</Loaded>
		</Card>
	);
}
