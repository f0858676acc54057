import { utcDay } from "../../../platform/lib/timestamp.ts";
import { type OrganizationRow, planOf } from "../organizations/index.ts";
import { countEvents, sum } from "./count-events.ts";
import type { WatchDeps } from "./deps.ts";
import { judgeUsage } from "./judge-usage.ts";
import { mailOwners } from "./mail-owners.ts";
import { noticeMail } from "./mails.ts";
import { periodAt } from "./periods.ts";
import { subscriptionsOf, termsOf } from "./subscriptions-store.ts";
import { daysIn } from "./usage-now.ts";
import { daysSince, insertNotice, nextOrganizations } from "./usage-store.ts";

/** Percentages of a plan at which owners are notified, the highest first. */
const SHARES = [120, 100, 80];
/** Organizations whose events are counted by one question. */
const PORTION = 100;

/** Counts what every organization uses, tells its owners what they should know, and judges the periods that are over. */
export async function watchUsage(deps: WatchDeps, signal: AbortSignal): Promise<void> {
	for (let after = ""; ; ) {
		const some = await nextOrganizations(deps.metadata, after, PORTION);
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
	{ metadata, clock, mailer, rootUrl }: WatchDeps,
	organization: OrganizationRow,
): Promise<void> {
	const { id, plan_tier: plan } = organization;
	const { monthlyEvents, lifetimeEvents } = planOf(plan);
	const limit = lifetimeEvents ?? monthlyEvents;
	if (limit === null) return;
	const isForEver = lifetimeEvents !== null;
	const now = clock.now();
	const period = isForEver ? undefined : periodAt(termsOf(await subscriptionsOf(metadata, [id])), utcDay(now));
	const days = await daysSince(metadata, [id], period?.start ?? "");
	const events = sum(period === undefined ? days : daysIn(days, period), "human_events");
	const passed = SHARES.filter((percent) => events * 100 >= limit * percent);
	const [percent] = passed;
	if (percent === undefined) return;
	await metadata.transaction().execute(async (trx) => {
		const news: boolean[] = [];
		for (const share of passed)
			news.push(await insertNotice(trx, { organizationId: id, period, plan, percent: share, nowMs: now }));
		if (news[0] !== true) return;
		await mailOwners(trx, mailer, id, noticeMail(rootUrl, organization, { percent, plan, events, limit, isForEver }));
	});
}
