import { DAY_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, type ChangeDeps, recordAudit, systemActor } from "../../auditing/audit-log/index.ts";
import { lockUnclaimed } from "../../people/users/index.ts";
import {
	changeSites,
	countSiteChange,
	findSite,
	type SiteDirectory,
	type SiteRow,
	setSiteActive,
} from "../sites/index.ts";
import { selectProvisionedSite, selectUnsettledSites, updateSettled } from "./store.ts";

const UNCLAIMED_DAYS = 90;
/** Sites looked at in one transaction. */
const PORTION = 100;

interface Deps extends ChangeDeps {
	/** Refreshed after each change. */
	readonly sites: Pick<SiteDirectory, "refresh">;
}

/** Makes provisioned sites inactive whose user has not come in 90 days; reports stay readable. Answers how many. */
export async function endUnclaimedSites(deps: Deps): Promise<number> {
	const now = deps.clock.now();
	let ended = 0;
	for (let portion = PORTION; portion === PORTION; ) {
		portion = await changeSites(deps, [], async (trx) => {
			const old = await selectUnsettledSites(trx, now - UNCLAIMED_DAYS * DAY_MS, PORTION);
			const asleep: string[] = [];
			for (const { site_id: siteId, user_id: userId } of old) {
				await updateSettled(trx, siteId, now);
				// The lock lets a claim that is on its way wait, and wake the site again.
				if (!(await lockUnclaimed(trx, userId))) continue;
				if (await setActive(trx, siteId, false, systemActor, now)) asleep.push(siteId);
			}
			// At the end: a claim holds its user's lock when it counts.
			await countSiteChange(trx, asleep);
			ended += asleep.length;
			return old.length;
		});
	}
	return ended;
}

/** Brings back the site of a user who claims it late, within the transaction that claims it. */
export async function wakeSite(trx: Metadata, userId: number, actor: Actor, nowMs: number): Promise<void> {
	const provisioned = await selectProvisionedSite(trx, userId);
	if (provisioned === undefined || provisioned.settled_at === null) return;
	const { site_id: siteId } = provisioned;
	if (await setActive(trx, siteId, true, actor, nowMs)) await countSiteChange(trx, [siteId]);
}

export async function siteOf(trx: Metadata, userId: number): Promise<SiteRow | undefined> {
	const provisioned = await selectProvisionedSite(trx, userId);
	return provisioned && findSite(trx, provisioned.site_id);
}

async function setActive(trx: Metadata, siteId: string, isActive: boolean, actor: Actor, nowMs: number) {
	const changed = await setSiteActive(trx, siteId, isActive, nowMs);
	if (!changed) return false;
	const details = { is_active: [!isActive, isActive] };
	await recordAudit(trx, actor, { action: "site.updated", resourceId: siteId, siteId, details }, nowMs);
	return true;
}
