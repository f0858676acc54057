import { ServiceError } from "../../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import type { LensDeps } from "../deps.ts";
import { type Insight, insightOf } from "./insight.ts";
import { findInsight, storeFeedback, updateInsight } from "./insights-store.ts";

/** Actions on an insight. */
export type Mark = "read" | "unread" | "dismiss";

type Deps = Pick<LensDeps, "metadata" | "clock">;

/** An insight of a site; throws `not_found`. */
export async function getInsight({ clock }: Deps, metadata: Metadata, siteId: string, id: string): Promise<Insight> {
	const row = await findInsight(metadata, { siteId, nowMs: clock.now() }, id);
	if (row === undefined) throw new ServiceError("not_found", { message: "Insight not found" });
	return insightOf(row);
}

/** Marks an insight; a mark that it has already stays as it was. Throws `not_found`. */
export function markInsight(deps: Deps, siteId: string, id: string, mark: Mark): Promise<Insight> {
	const nowMs = deps.clock.now();
	return deps.metadata.transaction().execute(async (trx) => {
		const { row } = await getInsight(deps, trx, siteId, id);
		await updateInsight(trx, id, {
			...(mark === "unread" ? { read_at: null } : { read_at: row.read_at ?? nowMs }),
			...(mark === "dismiss" && { dismissed_at: row.dismissed_at ?? nowMs }),
		});
		return getInsight(deps, trx, siteId, id);
	});
}

/** Notes what a user thinks of an insight. Throws `not_found`. */
export async function giveFeedback(
	deps: Deps,
	{ siteId, userId }: { readonly siteId: string; readonly userId: number },
	id: string,
	{
		type,
		comment,
	}: { readonly type: "helpful" | "not_helpful" | "incorrect" | "already_known"; readonly comment: string | null },
): Promise<void> {
	await deps.metadata.transaction().execute(async (trx) => {
		const { row } = await getInsight(deps, trx, siteId, id);
		await storeFeedback(trx, {
			insight_id: id,
			site_id: siteId,
			user_id: userId,
			rule: row.rule,
			feedback_type: type,
			comment,
			created_at: deps.clock.now(),
		});
	});
}
