import { fieldError, ServiceError } from "../../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import type { Mail } from "../../../../platform/outbound/mail/mailer.ts";
import { recordAudit, userActor } from "../../../auditing/audit-log/index.ts";
import {
	countTokenAttempt,
	findOneTimeToken,
	issueOneTimeToken,
	takeOneTimeToken,
} from "../../one-time-tokens/index.ts";
import {
	checkPasswordPolicy,
	findUser,
	findUserByEmail,
	hashPassword,
	insertUser,
	newUserRow,
	normalizeEmail,
	replacePasswordHash,
	type UserRow,
	updateUser,
	verifyPassword,
} from "../../users/index.ts";
import type { AuthDeps, MailingAuthDeps, VerifyDeps } from "../deps.ts";
import {
	decoyOwner,
	mailLink,
	mayMail,
	registrationNotice,
	repeatedVerificationMail,
	verificationMail,
} from "../mails.ts";
import type { Client } from "../session/open-session.ts";
import { countLoginAttempt, finishSignIn, type SignInOutcome } from "../sign-in/sign-in.ts";
import { revokeSessions } from "../store.ts";

export interface RegisterDeps extends MailingAuthDeps {
	readonly registration: Registration;
}

interface Surroundings {
	/** Runs the transaction; a plain one when absent. */
	readonly inTransaction?: <T>(work: (trx: Metadata) => Promise<T>) => Promise<T>;
	/** Joins the transaction when an account is made. */
	readonly alongside?: (trx: Metadata, user: UserRow) => Promise<void>;
}

/**
 * Registers an address, which gets a mail to confirm it. A known address gets a mail as well, and its account is
 * unchanged; neither the answer nor the work reveals the difference. Resolves with the account that was made, undefined for
 * a known address. Throws `forbidden` if registration is closed, and `validation_error` (`body.email`, `body.name`, `body.password`).
 */
export async function register(
	deps: RegisterDeps,
	input: { readonly email: string; readonly name: string; readonly password: string },
	ip: string,
	{ inTransaction = (work) => deps.metadata.transaction().execute(work), alongside }: Surroundings = {},
): Promise<UserRow | undefined> {
	checkOpenRegistration(deps.registration);
	const now = deps.clock.now();
	const row = { ...(await newUserRow({ ...input, role: "user" }, now)), email_verified_at: null };
	const isMailed = await mayMail(deps, row.email);
	const store = () =>
		inTransaction(async (metadata) => {
			const { mail, user } = await registerOrRemind(metadata, { row, ip, now }, deps.rootUrl);
			if (user !== undefined) await alongside?.(metadata, user);
			await deps.mailer[isMailed ? "queue" : "pretend"](metadata, { ...mail, to: row.email });
			return user;
		});
	// Of two that register an address at once, the second finds it known.
	return store().catch((error) => (isDuplicate(error) ? store() : Promise.reject(error)));
}

const isDuplicate = (error: unknown): boolean => error instanceof ServiceError && error.code === "duplicate_entry";

async function registerOrRemind(
	metadata: Metadata,
	{ row, ip, now }: { row: Omit<UserRow, "id">; ip: string; now: number },
	rootUrl: string,
): Promise<{ readonly mail: Omit<Mail, "to">; readonly user?: UserRow }> {
	const issue = async (subject: number | string) =>
		(await issueOneTimeToken(metadata, "email_verification", subject, now)).token;
	const known = await findUserByEmail(metadata, row.email);
	if (known === undefined) {
		const user = await insertUser(metadata, row);
		const { id } = user;
		await recordAudit(metadata, userActor(id, ip), { action: "user.created", resourceId: id }, now);
		return { mail: verificationMail(rootUrl, await issue(id)), user };
	}
	if (known.email_verified_at === null && known.is_active === 1) {
		return { mail: repeatedVerificationMail(rootUrl, await issue(known.id)) };
	}
	await issue(decoyOwner(row.email));
	return { mail: registrationNotice(rootUrl) };
}

/** Registration policy: invited users, anybody, or the operator only. */
export type Registration = "invited" | "open" | "closed";

const forbidden = (message: string) => new ServiceError("forbidden", message);

/** Throws `forbidden` where strangers may not make accounts. It is asked before anything is looked up, so it says the same to all. */
export function checkOpenRegistration(registration: Registration): void {
	if (registration === "open") return;
	if (registration === "closed") checkInvitedRegistration(registration);
	throw forbidden("Accounts are made by invitation here. Ask somebody who uses this service, or who runs it, for one");
}

/** Throws `forbidden` where not even those who are invited may make accounts. */
export function checkInvitedRegistration(registration: Registration): void {
	if (registration !== "closed") return;
	throw forbidden("No accounts are made here. Ask whoever runs this service for one");
}

/** The answer to every registration: nothing in it depends on whether the address was known. */
export const presentRegistration = (given: { email: string; name: string }, requiresSubscription: boolean) => ({
	user_id: 0,
	email: given.email,
	name: given.name,
	access_token: "",
	token_type: "bearer" as const,
	expires_in: 0,
	requires_email_verification: true,
	requires_subscription: requiresSubscription,
	session_created: false,
	email_sent: true,
	message: "We sent you an email. Its link confirms your address and activates your account",
});

/** Says of a mailed link that it opens nothing, whatever the reason. */
export const linkIsDead = () => new ServiceError("bad_request", "The link is no longer valid");

/** Proof that the link's holder registered the address, or the takeover of the account. */
interface VerificationProof {
	/** The user whom the browser is signed in as. */
	readonly userId?: number | undefined;
	/** The password that was chosen when registering. */
	readonly password?: string | undefined;
	/** Another one. */
	readonly newPassword?: string | undefined;
}

/**
 * Confirms the address to which a token was mailed, and signs its user in. With `proof` somebody must be signed in as that user,
 * know the password or choose another. Without that proof, apps lose the access granted before.
 * Throws `bad_request` for a token that is unknown, used or expired, `rate_limit_exceeded` after 20 of them, and
 * `validation_error` (`body.password`, `body.new_password`), which leaves the token as it was.
 */
export async function verifyEmail(
	deps: VerifyDeps,
	{ token, proof }: { readonly token: string; readonly proof?: VerificationProof },
	client: Client,
): Promise<SignInOutcome> {
	const waiting = await userOfLink(deps, "email_verification", token, client.ip);
	const isRegistrant = proof !== undefined && (await hasRegistered(deps, waiting, proof, client.ip));
	const newHash = isRegistrant ? undefined : await hashOf(waiting, proof?.newPassword);
	const now = deps.clock.now();
	const actor = userActor(waiting.id, client.ip);
	const user = await deps.metadata.transaction().execute(async (metadata) => {
		if ((await takeOneTimeToken(metadata, "email_verification", token, now)) === undefined) throw linkIsDead();
		const found = await findUser(metadata, waiting.id);
		if (found?.is_active !== 1) throw linkIsDead();
		if (newHash !== undefined && !(await replacePasswordHash(metadata, waiting, newHash, now))) throw linkIsDead();
		if (found.email_verified_at === null) {
			// Earlier sessions belong to the person who signed up, who may not own the mailbox.
			const ended = await revokeSessions(metadata, found.id, {}, now);
			const reason = "the address was confirmed by another";
			if (!isRegistrant) await deps.endGrantsOf(metadata, { userId: found.id, actor, reason, nowMs: now });
			const details = { sessions_terminated: ended };
			const entry = { action: "user.password_reset", resourceId: found.id, details } as const;
			if (newHash !== undefined) await recordAudit(metadata, actor, entry, now);
		}
		return markVerified(
			metadata,
			{ ...found, ...(newHash !== undefined && { password_hash: newHash }) },
			{ ip: client.ip, now },
		);
	});
	return finishSignIn(deps, user, client);
}

/** The active user to whom a link was mailed, without using it; throws `bad_request` for a dead one, `rate_limit_exceeded` after 20 of them. */
export async function userOfLink(
	deps: AuthDeps,
	kind: "email_verification" | "password_reset" | "provision_claim" | "provision_claim_resend",
	token: string,
	ip: string,
	admits: (user: UserRow) => boolean = () => true,
): Promise<UserRow> {
	const attempt = await countTokenAttempt(deps, ip);
	const found = await findOneTimeToken(deps.metadata, kind, token, deps.clock.now());
	const user = found?.isExpired === false ? await findUser(deps.metadata, Number(found.subject)) : undefined;
	if (user?.is_active !== 1 || !admits(user)) throw linkIsDead();
	await attempt.takeBack();
	return user;
}

/** Whether somebody registered the address; false when another password is chosen instead. */
async function hasRegistered(deps: AuthDeps, user: UserRow, proof: VerificationProof, ip: string): Promise<boolean> {
	if (proof.userId === user.id) return true;
	if (proof.newPassword !== undefined) return false;
	if (proof.password === undefined) throw fieldError("body.password", "is required", "missing");
	const attempt = await countLoginAttempt(deps, user.email, ip);
	if (!(await verifyPassword(user.password_hash, proof.password))) {
		throw fieldError("body.password", "does not match the password of the registration");
	}
	await attempt.clear();
	return true;
}

async function hashOf(user: UserRow, newPassword: string | undefined): Promise<string | undefined> {
	if (newPassword === undefined) return undefined;
	// One that was confirmed meanwhile has a way of its own to another password, which asks for more.
	if (user.email_verified_at !== null) throw linkIsDead();
	checkPasswordPolicy(newPassword, user.email, "body.new_password");
	return hashPassword(newPassword);
}

/** Notes that a user reads the mails to the address, when that is news. */
export async function markVerified(
	metadata: Metadata,
	user: UserRow,
	{ ip, now }: { ip: string; now: number },
): Promise<UserRow> {
	if (user.email_verified_at !== null) return user;
	await updateUser(metadata, user.id, { email_verified_at: now, updated_at: now });
	await recordAudit(metadata, userActor(user.id, ip), { action: "user.email_verified", resourceId: user.id }, now);
	return { ...user, email_verified_at: now };
}

/** Mails a new account the link by which it confirms its address; `metadata` is the transaction that makes the account. */
export async function mailVerification(
	{ metadata, mailer, rootUrl, clock }: Pick<MailingAuthDeps, "metadata" | "mailer" | "rootUrl" | "clock">,
	user: UserRow,
): Promise<void> {
	const { token } = await issueOneTimeToken(metadata, "email_verification", user.id, clock.now());
	await mailer.queue(metadata, { ...verificationMail(rootUrl, token), to: user.email });
}

/** Mails the link again to an address that is registered and not confirmed; does as much for any other, and sends nothing. */
export async function resendVerification(deps: MailingAuthDeps, given: string): Promise<void> {
	const email = normalizeEmail(given);
	const isMailed = await mayMail(deps, email);
	const user = await findUserByEmail(deps.metadata, email);
	const isWaiting = user !== undefined && user.email_verified_at === null && user.is_active === 1 && isMailed;
	const link = { kind: "email_verification", owner: isWaiting ? user.id : undefined, mail: verificationMail } as const;
	await mailLink(deps, email, link);
}
