import { addressGroup } from "../../../../platform/http/rate-limit/address-group.ts";
import { HOUR_MS, MINUTE_MS } from "../../../../platform/lib/durations.ts";
import { countAttempt, type FailureDeps, hasAttempts, noteAttempt } from "../../failure-limits/index.ts";
import { findUserByEmail } from "../../users/index.ts";
import { liveSessions } from "../session/store.ts";

/** Guesses from one place at one account. */
const fromAnAddress = { name: "sign-in", failures: 10, windowMs: 15 * MINUTE_MS } as const;
/** Guesses from everywhere at one account. */
const atAnAccount = { name: "sign-in-account", failures: 100, windowMs: HOUR_MS } as const;
/** No limit of its own: where somebody set a new password by mail, the account's limit does not count for an hour. */
const provenByMail = { name: "sign-in-proven", failures: 0, windowMs: HOUR_MS } as const;

/** A sign-in that counts as failed until it is cleared. */
export interface LoginAttempt {
	/** The password was right: earlier failures from here no longer count. */
	clear(): Promise<void>;
}

/**
 * Counts an attempt for an email address and where it comes from, before the password is looked at.
 * Throws `rate_limit_exceeded` after ten failures in 15 minutes, and after a hundred in an hour from all places together.
 * The second limit stops guesses that are spread over many addresses. To keep others from locking an owner out, it does
 * not count where the owner is signed in already, or has just set a new password by mail.
 */
export async function countLoginAttempt(deps: FailureDeps, email: string, ip: string): Promise<LoginAttempt> {
	const here = await countAttempt(deps, fromAnAddress, placeOf(email, ip));
	const anywhere = await noteAttempt(deps, atAnAccount, email);
	if (anywhere.refusal !== undefined && !(await isKnownPlace(deps, email, ip))) {
		await Promise.all([here.takeBack(), anywhere.takeBack()]);
		throw anywhere.refusal;
	}
	return {
		clear: async () => {
			await Promise.all([here.forgetAll(), anywhere.takeBack()]);
		},
	};
}

/** Lets somebody who set a new password by mail sign in from here, whatever others try at the account meanwhile. */
export async function trustPlace(deps: FailureDeps, email: string, ip: string): Promise<void> {
	await noteAttempt(deps, provenByMail, placeOf(email, ip));
}

const placeOf = (email: string, ip: string): string => `${email}\n${addressGroup(ip)}`;

async function isKnownPlace(deps: FailureDeps, email: string, ip: string): Promise<boolean> {
	if (await hasAttempts(deps, provenByMail, placeOf(email, ip))) return true;
	const user = await findUserByEmail(deps.metadata, email);
	const sessions = user === undefined ? [] : await liveSessions(deps.metadata, user.id, deps.clock.now());
	return sessions.some(({ ip_address: from }) => from !== null && addressGroup(from) === addressGroup(ip));
}
