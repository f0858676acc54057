import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, type Change, changeAudited } from "../../auditing/audit-log/index.ts";
import { lockOrganization } from "./store.ts";

/** Site of a change and its author. */
export interface SiteChange {
	readonly site: { readonly id: string; readonly organizationId: string };
	readonly actor: Actor;
}

/**
 * Makes a change to something of a site in one transaction, and records it there. Changes to the sites of one organization
 * wait for one another, so what a change has counted still holds at its end.
 */
export function changeInTurn<T>(
	{ metadata, clock }: { readonly metadata: Metadata; readonly clock: Clock },
	{ site, actor }: SiteChange,
	change: Change<T>,
	inTransaction = (work: (trx: Metadata) => Promise<T>) => metadata.transaction().execute(work),
): Promise<T> {
	const nowMs = clock.now();
	return inTransaction(async (trx) => {
		await lockOrganization(trx, site.organizationId);
		return changeAudited(trx, { siteId: site.id, actor, nowMs }, change);
	});
}

/** The refusal of one more than a site may have, e.g. of `alert rules`. */
export const siteIsFull = (most: number, of: string) =>
	new ServiceError("conflict", { message: `A site has at most ${most} ${of}` });
