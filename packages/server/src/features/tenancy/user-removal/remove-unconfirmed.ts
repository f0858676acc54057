import type { Clock } from "../../../platform/lib/clock.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { systemActor } from "../../auditing/audit-log/index.ts";
import { changeSites, type SiteDirectory } from "../sites/index.ts";
import { type EndAccountDeps, endAccount } from "./end-account.ts";
import { eraseUnconfirmed, selectUnconfirmed } from "./store.ts";

const KEPT_DAYS = 30;
/** Accounts looked for at a time. */
const PORTION = 100;

interface Deps extends EndAccountDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	/** Refreshed after each account, whose sites collect nothing more. */
	readonly sites: Pick<SiteDirectory, "refresh">;
}

/**
 * Removes the accounts that were made more than 30 days ago and whose address is unconfirmed, with organizations that
 * were theirs alone; the address is free again. Accounts that were set up for somebody, and have no password yet, stay.
 * Answers how many.
 */
export async function removeUnconfirmedAccounts(deps: Deps): Promise<number> {
	const nowMs = deps.clock.now();
	const before = nowMs - KEPT_DAYS * DAY_MS;
	let removed = 0;
	for (let afterId = 0; ; ) {
		const ids = await selectUnconfirmed(deps.metadata, { before, afterId, limit: PORTION });
		for (const id of ids) {
			if (await changeSites(deps, [], (trx) => remove(deps, trx, id, nowMs))) removed += 1;
		}
		if (ids.length < PORTION) return removed;
		afterId = ids.at(-1) ?? afterId;
	}
}

async function remove(deps: Deps, trx: Metadata, userId: number, nowMs: number): Promise<boolean> {
	// First, so that a concurrent confirmation waits for the row and finds an invalid link, or comes first.
	if (!(await eraseUnconfirmed(trx, userId, nowMs))) return false;
	await endAccount(deps, trx, { userId, actor: systemActor, reason: "the address was not confirmed", nowMs });
	return true;
}
