import { ServiceError } from "../../../platform/errors/service-error.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, recordAudit } from "../../auditing/audit-log/index.ts";
import { confirmPassword, revokeSessions } from "../auth/index.ts";
import { endOneTimeTokens } from "../one-time-tokens/index.ts";
import { type UserRow, updateUser } from "../users/index.ts";
import {
	confirmCode,
	hashBackupCode,
	matchingStep,
	newBackupCodes,
	newTotpSecret,
	openSecret,
	provisioningUri,
	sealSecret,
	type TwoFactorDeps,
} from "./codes.ts";
import { disabledMail, enabledMail } from "./mails.ts";
import {
	deleteSetup,
	deleteTwoFactor,
	enableTwoFactor,
	findTwoFactor,
	insertSetup,
	replaceBackupCodes,
} from "./store.ts";

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
		user_id: user.id,
		sealed_secret: sealSecret(deps, user.id, secret),
		setup_ends_at: deps.clock.now() + SETUP_MINUTES * MINUTE_MS,
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
		if (!(await enableTwoFactor(trx, row, { step, nowMs: now }))) throw noSetup();
		await replaceBackupCodes(trx, user.id, hashes, now);
		await revokeSessions(trx, user.id, { except: given.sessionId }, now);
		await recordAudit(trx, given.actor, { action: "user.2fa_enabled", resourceId: user.id }, now);
		await deps.mailer.queue(trx, enabledMail(user));
	});
	return codes;
}

const noSetup = () => new ServiceError("bad_request", { message: "No two-factor setup is pending" });

/**
 * Switches the second factor off; asks for the password and a code of either kind.
 * Throws `conflict` when it is off, `bad_request` for a wrong password or code, and as `useCode` does.
 */
export async function disableTwoFactor(
	deps: TwoFactorDeps,
	user: UserRow,
	given: { password: string; code: string; ip: string; actor: Actor },
): Promise<void> {
	if (user.two_factor_enabled_at === null) throw alreadyOff();
	await confirmPassword(deps, user, given);
	await confirmCode(deps, user, given.code);
	await switchOffTwoFactor(deps, user, given.actor, (trx) => deps.mailer.queue(trx, disabledMail(user)));
}

/**
 * Switches a user's second factor off without asking for a code; `alongside` joins the transaction.
 * Throws `conflict` when it is off.
 */
export async function switchOffTwoFactor(
	deps: Pick<TwoFactorDeps, "metadata" | "clock">,
	user: UserRow,
	actor: Actor,
	alongside: (trx: Metadata) => Promise<void> = async () => {},
): Promise<void> {
	const now = deps.clock.now();
	await deps.metadata.transaction().execute(async (trx) => {
		await updateUser(trx, user.id, { two_factor_enabled_at: null, updated_at: now });
		if (!(await deleteTwoFactor(trx, user.id))) throw alreadyOff();
		await endOneTimeTokens(trx, "sign_in_challenge", user.id);
		await recordAudit(trx, actor, { action: "user.2fa_disabled", resourceId: user.id }, now);
		await alongside(trx);
	});
}

/** Takes away whatever a user has or began of a second factor, within a transaction of the caller. */
export async function removeSecondFactor(trx: Metadata, userId: number): Promise<void> {
	await deleteTwoFactor(trx, userId);
	await deleteSetup(trx, userId);
}

const alreadyOff = () => new ServiceError("conflict", { message: "Two-factor authentication is off" });
