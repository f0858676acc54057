import { ServiceError } from "../../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import type { Mail } from "../../../../platform/outbound/mail/mailer.ts";
import { recordAudit, userActor } from "../../../auditing/audit-log/index.ts";
import { issueOneTimeToken } from "../../one-time-tokens/index.ts";
import { findUserByEmail, insertUser, newUserRow, type UserRow } from "../../users/index.ts";
import type { MailingAuthDeps } from "../deps.ts";
import { decoyOwner, mayMail, registrationNotice, repeatedVerificationMail, verificationMail } from "../mails.ts";

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

const forbidden = (message: string) => new ServiceError("forbidden", { message });

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
