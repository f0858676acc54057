import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

export type TwoFactorRow = Row<"two_factor">;

export const secondFactors = tableOf("two_factor");
export const backupCodes = tableOf("backup_codes");

export const findTwoFactor = (metadata: Metadata, userId: number) => secondFactors.find(metadata, { user_id: userId });

/** Begins a setup in the place of an earlier one; false when the second factor is on. */
export async function insertSetup(
	metadata: Metadata,
	{ user_id, ...setup }: Pick<TwoFactorRow, "user_id" | "sealed_secret" | "setup_ends_at">,
): Promise<boolean> {
	const fresh = {
		...setup,
		enabled_at: null,
		last_step: 0,
		failures: 0,
		failures_since: 0,
		backup_codes_at: null,
	};
	const rows = await tables(metadata)
		.insertInto("two_factor")
		.values({ user_id, ...fresh })
		.onConflict((conflict) => conflict.column("user_id").doUpdateSet(fresh).where("two_factor.enabled_at", "is", null))
		.returning("user_id")
		.execute();
	return rows.length === 1;
}

/** Ends a setup without effect. */
export async function deleteSetup(metadata: Metadata, userId: number): Promise<void> {
	await secondFactors.drop(metadata, { user_id: userId, enabled_at: null });
}

/** Takes the second factor away; false when it was not on. */
export async function deleteTwoFactor(metadata: Metadata, user_id: number): Promise<boolean> {
	const deleted = await secondFactors.delete(metadata, { user_id, enabled_at: { "is not": null } });
	await backupCodes.drop(metadata, { user_id });
	return deleted !== undefined;
}

/** Counts a code as wrong before it is looked at, so that guesses sent at once count too; undefined = no guess is left. */
export async function reserveAttempt(
	metadata: Metadata,
	userId: number,
	limit: { readonly failures: number; readonly windowMs: number },
	nowMs: number,
): Promise<number | undefined> {
	const windowStart = nowMs - limit.windowMs;
	const row = await tables(metadata)
		.updateTable("two_factor")
		.set((query) => {
			const isOver = query("failures_since", "<=", windowStart);
			return {
				failures: query
					.case()
					.when(isOver)
					.then(1)
					.else(query("failures", "+", 1))
					.end(),
				failures_since: query.case().when(isOver).then(nowMs).else(query.ref("failures_since")).end(),
			};
		})
		.where("user_id", "=", userId)
		.where((query) => query.or([query("failures_since", "<=", windowStart), query("failures", "<", limit.failures)]))
		.returning("failures")
		.executeTakeFirst();
	return row?.failures;
}

/** Uses a step up, and takes back the guess that was counted for it; false when it or a later one was used before. */
export async function takeStep(metadata: Metadata, userId: number, step: number): Promise<boolean> {
	const rows = await tables(metadata)
		.updateTable("two_factor")
		.set((query) => ({ last_step: step, failures: query("failures", "-", 1) }))
		.where("user_id", "=", userId)
		.where("last_step", "<", step)
		.returning("user_id")
		.execute();
	return rows.length === 1;
}

/** Puts new backup codes in the place of the old ones; false when the second factor is off. */
export async function replaceBackupCodes(
	metadata: Metadata,
	user_id: number,
	codeHashes: readonly string[],
	nowMs: number,
): Promise<boolean> {
	const on = { user_id, enabled_at: { "is not": null } };
	if ((await secondFactors.update(metadata, on, { backup_codes_at: nowMs })) === undefined) return false;
	await backupCodes.drop(metadata, { user_id });
	for (const code_hash of codeHashes) await backupCodes.insert(metadata, { user_id, code_hash });
	return true;
}
