import { DAY_MS } from "../../../platform/lib/durations.ts";
import { utcDay } from "../../../platform/lib/timestamp.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Mail, Mailer } from "../../../platform/outbound/mail/mailer.ts";
import { withoutLinks } from "../../../platform/outbound/mail/plain-text.ts";
import { systemActor } from "../../auditing/audit-log/index.ts";
import { findUser } from "../../people/users/index.ts";
import { planAt, putOnPlan } from "../organization-plan/index.ts";
import {
	findOrganization,
	leadersOf,
	lockOrganization,
	type OrganizationRow,
	organizations,
	planOf,
} from "../organizations/index.ts";
import type { BillingDeps, Move } from "./deps.ts";
import { type Period, periodAt } from "./periods.ts";
import { priceList } from "./price-list.ts";
import { MOVE_JOB } from "./selling-jobs.ts";
import {
	changeAccount,
	daysSince,
	findAccount,
	judgedPeriods,
	liveOne,
	subscriptionsOf,
	termsOf,
	type UsagePeriodRow,
	usageNotices,
	usagePeriods,
	wasForgivenIn,
} from "./store.ts";
import { countEvents, countedUsage, daysIn, sum } from "./usage-now.ts";

/** Percentages of a plan at which owners are notified, the highest first. */
const SHARES = [120, 100, 80];
/** Organizations whose events are counted by one question. */
const PORTION = 100;

/** Counts what every organization uses, tells its owners what they should know, and judges the periods that are over. */
export async function watchUsage(deps: BillingDeps, signal: AbortSignal): Promise<void> {
	for (let after = ""; ; ) {
		const some = await organizations.first(deps.metadata, PORTION, { is_active: 1, id: { ">": after } }, "id");
		const last = some.at(-1);
		if (last === undefined) return;
		after = last.id;
		await countEvents(deps, some);
		for (const organization of some) {
			signal.throwIfAborted();
			await judgeUsage(deps, organization);
			await giveNotice(deps, organization);
		}
	}
}

/** Mails the owners once a share and period; of several that were passed at once, the highest. */
async function giveNotice(
	{ metadata, clock, mailer, rootUrl }: BillingDeps,
	organization: OrganizationRow,
): Promise<void> {
	const { id, plan_tier: plan } = organization;
	const now = clock.now();
	const { period, isForEver, share: usage } = await countedUsage(metadata, organization, now);
	const { event_limit: limit, human_events: events } = usage;
	if (limit === null) return;
	const passed = SHARES.filter((percent) => events * 100 >= limit * percent);
	const [percent] = passed;
	const notice = { organization_id: id, period_start: isForEver ? "" : period.start, plan_tier: plan, noted_at: now };
	if (percent === undefined) return;
	await metadata.transaction().execute(async (trx) => {
		const news = [];
		for (const share of passed) news.push(await usageNotices.insertUnlessTaken(trx, { ...notice, percent: share }));
		if (news[0] === undefined) return;
		await mailOwners(trx, mailer, id, noticeMail(rootUrl, organization, { percent, plan, events, limit, isForEver }));
	});
}

/** The last day of a period ends twelve hours later at the sites furthest west, and their hits may wait for the event store. */
const SETTLED_AFTER_MS = DAY_MS;

/**
 * Evaluates the periods of an organization that have ended since the last time; those that ended before the
 * organization was first seen are skipped.
 */
async function judgeUsage(deps: BillingDeps, { id }: Pick<OrganizationRow, "id">): Promise<void> {
	// Most have none, and no lock is needed to see that.
	if (!(await isDue(deps, id))) return;
	while (await judgeNext(deps, id));
	await deps.sites.refresh();
}

async function isDue({ metadata, clock }: BillingDeps, organizationId: string): Promise<boolean> {
	const { judged_until: day } = await findAccount(metadata, organizationId);
	return day === null || isSettled(periodAt(await termsOfOne(metadata, organizationId), day), clock.now());
}

const isSettled = ({ end }: Period, now: number): boolean => now >= Date.parse(end) + SETTLED_AFTER_MS;

const termsOfOne = async (metadata: Metadata, organizationId: string) =>
	termsOf(await subscriptionsOf(metadata, organizationId));

/** True when there was a period to judge. */
function judgeNext(deps: BillingDeps, organizationId: string): Promise<boolean> {
	const now = deps.clock.now();
	return deps.metadata.transaction().execute(async (trx) => {
		await lockOrganization(trx, organizationId);
		const organization = await findOrganization(trx, organizationId);
		if (organization === undefined) return false;
		const terms = await termsOfOne(trx, organizationId);
		const { judged_until: day } = await findAccount(trx, organizationId);
		if (day === null) {
			await changeAccount(trx, organizationId, { judged_until: periodAt(terms, utcDay(now)).start });
			return false;
		}
		const period = periodAt(terms, day);
		if (!isSettled(period, now)) return false;
		await changeAccount(trx, organizationId, { judged_until: period.end });
		await judge(deps, trx, organization, period);
		return true;
	});
}

async function judge(deps: BillingDeps, trx: Metadata, organization: OrganizationRow, period: Period): Promise<void> {
	const { id } = organization;
	const plan = await planAt(trx, organization, Date.parse(period.end));
	const { monthlyEvents: limit } = planOf(plan);
	if (limit === null) return;
	const [last] = await judgedPeriods(trx, id, 1);
	const events = sum(daysIn(await daysSince(trx, [id], period.start), period), "human_events");
	const action = judgePeriod({
		plan,
		planNow: organization.plan_tier,
		limit,
		events,
		isForgivenessUsed: await wasForgivenIn(trx, id, period.start.slice(0, 4)),
		before: last?.period_end === period.start ? last : undefined,
	});
	const row: UsagePeriodRow = {
		organization_id: id,
		period_start: period.start,
		period_end: period.end,
		plan_tier: plan,
		event_limit: limit,
		total_events: events,
		is_forgiven: action === "forgiven" ? 1 : 0,
		action_taken: action,
		judged_at: deps.clock.now(),
	};
	if ((await usagePeriods.insertUnlessTaken(trx, row)) === undefined || action === "none") return;
	if (action === "upgraded") {
		const live = liveOne(await subscriptionsOf(trx, id));
		if (live !== undefined && deps.payments !== undefined) {
			const payload: Move = { organizationId: id, subscriptionId: live.id };
			await deps.jobs.enqueue(trx, { kind: MOVE_JOB, payload });
		}
		await putOnPlan(trx, systemActor, { organizationId: id, plan: "scale" }, deps.clock.now());
	}
	await mailOwners(trx, deps.mailer, id, overageMail(deps.rootUrl, organization, { ...row, action_taken: action }));
}

/** A period that is over. */
interface EndedPeriod {
	/** At its end. */
	readonly plan: UsagePeriodRow["plan_tier"];
	/** At the time of judging. */
	readonly planNow: UsagePeriodRow["plan_tier"];
	readonly limit: number;
	readonly events: number;
	/** A period of the same calendar year was forgiven already. */
	readonly isForgivenessUsed: boolean;
	/** Consequence of the period right before it. */
	readonly before: Pick<UsagePeriodRow, "plan_tier" | "action_taken"> | undefined;
}

/**
 * Action after a period: none within the limit. The first period beyond it in a calendar year is forgiven; the second one in a row that
 * was not moves growth to scale, unless its plan has changed since; otherwise the owners are notified.
 */
export function judgePeriod(period: EndedPeriod): UsagePeriodRow["action_taken"] {
	if (period.events <= period.limit) return "none";
	if (!period.isForgivenessUsed) return "forgiven";
	const { before } = period;
	const isSecond = before?.plan_tier === "growth" && before.action_taken === "notified";
	return period.plan === "growth" && period.planNow === "growth" && isSecond ? "upgraded" : "notified";
}

type Text = Pick<Mail, "subject" | "body">;
type Told = Pick<OrganizationRow, "name" | "slug">;

const number = new Intl.NumberFormat("en");
const linkTo = (rootUrl: string, { slug }: Told) => ({
	link: `${rootUrl}/organizations/${slug}/billing`,
	label: "View usage",
});

function noticeMail(
	rootUrl: string,
	organization: Told,
	{
		percent,
		plan,
		events,
		limit,
		isForEver,
	}: {
		readonly percent: number;
		readonly plan: OrganizationRow["plan_tier"];
		readonly events: number;
		readonly limit: number;
		readonly isForEver: boolean;
	},
): Text {
	const name = withoutLinks(organization.name);
	const used = `${name} has used ${number.format(events)} of the ${number.format(limit)} events${isForEver ? "" : " per period"} of the ${priceList[plan].name} plan.`;
	return {
		subject: `${name}: ${percent} % of the plan's events used`,
		body: [used, consequence(percent, isForEver), linkTo(rootUrl, organization)],
	};
}

function consequence(percent: number, isForEver: boolean): string {
	if (isForEver) {
		return percent < 100
			? "At the limit, tracking stops. Reports remain available. A larger plan continues tracking."
			: "Tracking has stopped. Reports remain available. A larger plan resumes tracking.";
	}
	return percent < 100
		? "You don't need to do anything: tracking continues over the limit."
		: "Tracking continues over the limit. One period per calendar year is forgiven.";
}

const sentences = {
	forgiven: "This is the one period of the calendar year that is forgiven: nothing changes.",
	notified: "Check whether the plan still fits. A second such period in a row upgrades Growth to Scale.",
	upgraded: "This is the second period in a row: the organization is now on the Scale plan.",
} as const;

/** Notice that an ended period exceeded the plan, and of the consequence. */
function overageMail(
	rootUrl: string,
	organization: Told,
	row: UsagePeriodRow & { readonly action_taken: keyof typeof sentences },
): Text {
	const name = withoutLinks(organization.name);
	const { period_start: start, period_end: end, total_events: events, event_limit: limit, plan_tier: plan } = row;
	const last = Temporal.PlainDate.from(end).subtract({ days: 1 });
	return {
		subject: `${name} exceeded its plan`,
		body: [
			`From ${start} to ${last}, ${name} collected ${number.format(events)} events; the ${priceList[plan].name} plan includes ${number.format(limit)}.`,
			sentences[row.action_taken],
			linkTo(rootUrl, organization),
		],
	};
}

async function mailOwners(
	trx: Metadata,
	mailer: Pick<Mailer, "queue">,
	organizationId: string,
	mail: Pick<Mail, "subject" | "body">,
): Promise<void> {
	for (const { userId, role } of await leadersOf(trx, organizationId)) {
		const user = role === "owner" ? await findUser(trx, userId) : undefined;
		if (user === undefined || user.is_active === 0) continue;
		const body = [`Hello ${user.name},`, ...mail.body];
		await mailer.queue(trx, { to: user.email, subject: mail.subject, body });
	}
}
