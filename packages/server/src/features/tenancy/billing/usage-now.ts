import { eventUsage } from "../../../analytics/query/reports/site-days.ts";
import { DAY_MS, HOUR_MS } from "../../../platform/lib/durations.ts";
import { timestamp, utcDay } from "../../../platform/lib/timestamp.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type OrganizationRow, planOf } from "../organizations/index.ts";
import type { UsageDeps } from "./deps.ts";
import { type Period, periodAt, periodBefore } from "./periods.ts";
import {
	accounts,
	changeAccount,
	daysSince,
	findAccount,
	firstDay,
	raiseDays,
	subscriptionsOf,
	termsOf,
	type UsageDay,
} from "./store.ts";

export type UsageNow = Awaited<ReturnType<typeof usageNow>>;

/** Counts what an organization uses now; while the event store is away, what was counted before. */
export async function usageNow(deps: UsageDeps, organization: OrganizationRow) {
	const { metadata, clock } = deps;
	const { counted_at: countedBefore } = await findAccount(metadata, organization.id);
	const now = clock.now();
	const countedAt = await countEvents(deps, [organization]).then(
		() => now,
		(error: unknown) => {
			if (countedBefore === null) throw error;
			return countedBefore;
		},
	);
	return { ...(await countedUsage(metadata, organization, now)), countedAt };
}

/** Usage of an organization, as far as it was counted. */
export async function countedUsage(metadata: Metadata, { id, plan_tier: plan }: OrganizationRow, now: number) {
	const period = periodAt(termsOf(await subscriptionsOf(metadata, id)), utcDay(now));
	const { lifetimeEvents, monthlyEvents } = planOf(plan);
	const days = await daysSince(metadata, [id], lifetimeEvents === null ? period.start : "");
	const within = lifetimeEvents === null ? daysIn(days, period) : days;
	const humanEvents = sum(within, "human_events");
	const limit = lifetimeEvents ?? monthlyEvents;
	return {
		organizationId: id,
		plan,
		/** The one at hand; where the limit is for ever, the figures are those since the beginning all the same. */
		period,
		share: {
			human_events: humanEvents,
			agent_events: sum(within, "agent_events"),
			event_limit: limit,
			percentage: limit === null ? 0 : percentOf(humanEvents, limit),
			is_unlimited: limit === null,
		},
		/** The limit is never reset, and collection stops there. */
		isForEver: lifetimeEvents !== null,
		/** Until the period ends, the day at hand among them. */
		daysRemaining: (Date.parse(period.end) - Date.parse(utcDay(now))) / DAY_MS,
	};
}

export const boundsOf = (start: string, end: string) => ({
	period_start: timestamp(Date.parse(start)),
	period_end: timestamp(Date.parse(end)),
});

/** Two decimals. */
export const percentOf = (events: number, limit: number): number => Math.round((events / limit) * 10_000) / 100;

export const daysIn = (days: readonly UsageDay[], { start, end }: Period): UsageDay[] =>
	days.filter(({ day }) => day >= start && day < end);

/**
 * Usage of an organization by period, the current one first; none before it was created, or counted its first event.
 */
export async function usageHistory(deps: UsageDeps, organization: OrganizationRow, limit: number) {
	const { metadata } = deps;
	const { period } = await usageNow(deps, organization);
	const terms = termsOf(await subscriptionsOf(metadata, organization.id));
	const made = utcDay(organization.created_at);
	const first = [made, (await firstDay(metadata, organization.id)) ?? made].sort()[0] ?? made;
	const periods = [period];
	for (let last = period; last.start > first && periods.length < limit; ) {
		last = periodBefore(terms, last);
		periods.push(last);
	}
	const days = await daysSince(metadata, [organization.id], periods.at(-1)?.start ?? made);
	return periods.map((one) => {
		const within = daysIn(days, one);
		const counts = { human_events: sum(within, "human_events"), agent_events: sum(within, "agent_events") };
		return { ...boundsOf(one.start, one.end), ...counts };
	});
}

/** The period at hand and the one before it. */
const RECOUNTED_MS = 63 * DAY_MS;
const EVER = "1970-01-01";

/**
 * Counts the events of organizations in the event store and keeps the highest count of each day: usage stays the same when data
 * are deleted, or when the bot statistics expire.
 */
export async function countEvents(
	deps: UsageDeps,
	organizations: readonly Pick<OrganizationRow, "id">[],
): Promise<void> {
	const all = organizations.map(({ id }) => id);
	const known = await accounts.list(deps.metadata, { organization_id: all });
	const countedAt = new Map(known.map((row) => [row.organization_id, row.counted_at]));
	const now = deps.clock.now();
	const isNew = (id: string) => (countedAt.get(id) ?? null) === null;
	const groups = [
		{ ids: all.filter(isNew), from: EVER },
		{ ids: all.filter((id) => !isNew(id)), from: utcDay(now - RECOUNTED_MS) },
	];
	for (const { ids, from } of groups) {
		if (ids.length === 0) continue;
		const counted = await daysInStore(deps, ids, from);
		const changed = await raised(deps, ids, counted, from);
		for (const id of ids) {
			const before = countedAt.get(id) ?? null;
			if (before !== null && now - before < HOUR_MS && !changed.has(id)) continue;
			await changeAccount(deps.metadata, id, { counted_at: now });
		}
	}
}

export const sum = (days: readonly UsageDay[], count: "human_events" | "agent_events"): number =>
	days.reduce((total, day) => total + day[count], 0);

async function daysInStore(deps: UsageDeps, ids: readonly string[], from: string): Promise<UsageDay[]> {
	const ownerOf = new Map(ids.flatMap((id) => deps.sites.ofOrganization(id).map((site) => [site.id, id] as const)));
	const { human, agent } = await eventUsage(deps, [...ownerOf.keys()], from);
	const days = new Map<string, UsageDay>();
	const dayOf = (site: string, day: string): UsageDay => {
		const organizationId = ownerOf.get(site) ?? "";
		const key = `${organizationId} ${day}`;
		const known = days.get(key) ?? { organization_id: organizationId, day, human_events: 0, agent_events: 0 };
		days.set(key, known);
		return known;
	};
	for (const { site, date, events } of human) dayOf(site, date).human_events += events;
	for (const { site, date, events } of agent) dayOf(site, date).agent_events += events;
	return [...days.values()];
}

/** Keeps what has grown; answers whose days have. */
async function raised(
	{ metadata }: UsageDeps,
	ids: readonly string[],
	counted: readonly UsageDay[],
	from: string,
): Promise<ReadonlySet<string>> {
	const kept = await daysSince(metadata, ids, from);
	const keptOf = new Map(kept.map((day) => [`${day.organization_id} ${day.day}`, day]));
	const grown = counted.flatMap((stored) => {
		const before = keptOf.get(`${stored.organization_id} ${stored.day}`);
		const day = { ...stored, human_events: stored.human_events - (before?.earlier_events ?? 0) };
		const isMore = day.human_events > (before?.human_events ?? 0) || day.agent_events > (before?.agent_events ?? 0);
		return isMore ? [day] : [];
	});
	await raiseDays(metadata, grown);
	return new Set(grown.map(({ organization_id: id }) => id));
}
