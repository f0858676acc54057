import { ServiceError } from "../../../platform/errors/service-error.ts";
import { type Actor, recordAudit } from "../../auditing/audit-log/index.ts";
import type { UserRow } from "../users/index.ts";
import { hashBackupCode, newBackupCodes } from "./backup-codes.ts";
import { replaceBackupCodes } from "./backup-codes-store.ts";
import type { TwoFactorDeps } from "./deps.ts";
import { backupCodesMail } from "./mails.ts";
import { openSecret } from "./sealed-secret.ts";
import { findTwoFactor } from "./store.ts";
import { useCode } from "./use-code.ts";

/**
 * Makes new backup codes, which are shown this once; the earlier ones die. Asks for a code of the app.
 * Throws `not_found` when the second factor is off, `bad_request` for a wrong code, and as `useCode` does.
 */
export async function regenerateBackupCodes(
	deps: TwoFactorDeps,
	user: UserRow,
	given: { code: string; actor: Actor },
): Promise<string[]> {
	const row = await findTwoFactor(deps.metadata, user.id);
	if (row === undefined || row.enabled_at === null) throw off();
	if (!(await useCode(deps, user, given.code, "app"))) {
		throw new ServiceError("bad_request", { message: "The code is wrong" });
	}
	const now = deps.clock.now();
	const codes = newBackupCodes();
	const secret = openSecret(deps, row);
	const hashes = codes.map((code) => hashBackupCode(secret, code));
	await deps.metadata.transaction().execute(async (trx) => {
		if (!(await replaceBackupCodes(trx, user.id, hashes, now))) throw off();
		await recordAudit(trx, given.actor, { action: "user.backup_codes_regenerated", resourceId: user.id }, now);
		await deps.mailer.queue(trx, backupCodesMail(user));
	});
	return codes;
}

const off = () => new ServiceError("not_found", { message: "Two-factor authentication is off" });
