import { ServiceError } from "../../../platform/errors/service-error.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import { type Actor, recordAudit } from "../../auditing/audit-log/index.ts";
import { confirmPassword, revokeSessions } from "../auth/index.ts";
import { type UserRow, updateUser } from "../users/index.ts";
import {
	hashBackupCode,
	matchingStep,
	newBackupCodes,
	newTotpSecret,
	openSecret,
	provisioningUri,
	sealSecret,
} from "./codes.ts";
import type { TwoFactorDeps } from "./deps.ts";
import { enabledMail } from "./mails.ts";
import { enableTwoFactor, findTwoFactor, insertSetup, replaceBackupCodes } from "./store.ts";

/** Minutes within which the first code has to follow. */
export const SETUP_MINUTES = 10;

/**
 * Begins the setup of an authenticator app, in the place of an earlier one; answers the secret, which is shown this once.
 * Throws `conflict` when the second factor is on, and as `confirmPassword` does.
 */
export async function startSetup(deps: TwoFactorDeps, user: UserRow, given: { password: string; ip: string }) {
	await confirmPassword(deps, user, given);
	const secret = newTotpSecret();
	const begun = await insertSetup(deps.metadata, {
		userId: user.id,
		sealedSecret: sealSecret(deps, user.id, secret),
		endsAt: deps.clock.now() + SETUP_MINUTES * MINUTE_MS,
	});
	if (!begun) throw new ServiceError("conflict", { message: "Two-factor authentication is already on" });
	return { secret, uri: provisioningUri(secret, issuerOf(deps), user.email) };
}

/** The name under which an app lists the code: with the host, as somebody may use two services. */
const issuerOf = ({ publicUrl }: TwoFactorDeps): string =>
	publicUrl === undefined ? "Footfall" : `Footfall ${new URL(publicUrl).hostname}`;

/**
 * Ends the setup with a first code: the second factor is on, and all other sessions of the user end, because whoever has one
 * never showed it. Answers the backup codes, which are shown this once. Throws `bad_request` for a wrong code or without a setup.
 */
export async function confirmSetup(
	deps: TwoFactorDeps,
	user: UserRow,
	given: { code: string; sessionId: string; actor: Actor },
): Promise<string[]> {
	const now = deps.clock.now();
	const row = await findTwoFactor(deps.metadata, user.id);
	if (row === undefined || row.setup_ends_at === null || row.setup_ends_at <= now) throw noSetup();
	const secret = openSecret(deps, row);
	const step = matchingStep(secret, given.code, now);
	if (step === undefined) throw new ServiceError("bad_request", { message: "The code is wrong" });
	const codes = newBackupCodes();
	const hashes = codes.map((code) => hashBackupCode(secret, code));
	await deps.metadata.transaction().execute(async (trx) => {
		await updateUser(trx, user.id, { two_factor_enabled_at: now, updated_at: now });
		if (!(await enableTwoFactor(trx, { userId: user.id, sealedSecret: row.sealed_secret, step }, now))) throw noSetup();
		await replaceBackupCodes(trx, user.id, hashes, now);
		await revokeSessions(trx, user.id, { except: given.sessionId }, now);
		await recordAudit(trx, given.actor, { action: "user.2fa_enabled", resourceId: user.id }, now);
		await deps.mailer.queue(trx, enabledMail(user));
	});
	return codes;
}

const noSetup = () => new ServiceError("bad_request", { message: "No two-factor setup is pending" });
