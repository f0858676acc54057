import { tables } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import { addressGroup } from "../../../platform/http/rate-limit/address-group.ts";
import { sha256Hex } from "../../../platform/lib/crypto.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../platform/lib/durations.ts";
import { randomToken } from "../../../platform/lib/ids.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { countAttempt, type FailureDeps } from "../failure-limits/index.ts";

/** Purposes of a token with their lifetime in milliseconds. */
const lifetimes = {
	email_verification: DAY_MS,
	password_reset: HOUR_MS,
	/** To the address that an account has, and to the one that it is to have. */
	address_change_current: DAY_MS,
	address_change_new: DAY_MS,
	invitation: 7 * DAY_MS,
	/** Of a link shown to the inviter; it proves nothing about the address. */
	invitation_link: 7 * DAY_MS,
	sign_in_challenge: 5 * MINUTE_MS,
	provision_claim: 7 * DAY_MS,
	provision_claim_resend: 90 * DAY_MS,
} as const;

type TokenKind = keyof typeof lifetimes;

const stored = tableOf("one_time_tokens");

/** Ended tokens are known for this long, so that they can be told from made-up ones. */
const REMEMBERED_MS = 7 * DAY_MS;

/**
 * A new secret of 32 random bytes, stored as a hash; it ends the earlier ones of its kind and subject, which is the id of a
 * user or an invitation.
 */
export async function issueOneTimeToken(metadata: Metadata, kind: TokenKind, subject: string | number, nowMs: number) {
	const token = randomToken();
	const expiresAt = nowMs + lifetimes[kind];
	await stored.drop(metadata, { expires_at: { "<=": nowMs - REMEMBERED_MS } });
	await endOneTimeTokens(metadata, kind, subject);
	const row = { token_hash: sha256Hex(token), kind, subject: String(subject), failures: 0 };
	await stored.insert(metadata, { ...row, expires_at: expiresAt, created_at: nowMs });
	return { token, expiresAt };
}

/** State of a token, with the wrong answers that were given with it; undefined if it is unknown, used or replaced. */
export async function findOneTimeToken(metadata: Metadata, kind: TokenKind, token: string, nowMs: number) {
	const row = await stored.find(metadata, { token_hash: sha256Hex(token), kind });
	return row && { subject: row.subject, failures: row.failures, isExpired: row.expires_at <= nowMs };
}

/** Uses a token up: its subject, or undefined when it is unknown, used or expired. Of two at once, one gets it. */
export async function takeOneTimeToken(metadata: Metadata, kind: TokenKind, token: string, nowMs: number) {
	const live = { token_hash: sha256Hex(token), kind, expires_at: { ">": nowMs } };
	return (await stored.delete(metadata, live))?.subject;
}

/** Notes a wrong answer given with a token; the number of them so far, this one included. */
export async function countTokenFailure(metadata: Metadata, kind: TokenKind, token: string): Promise<number> {
	const row = await tables(metadata)
		.updateTable("one_time_tokens")
		.set((query) => ({ failures: query("failures", "+", 1) }))
		.where("token_hash", "=", sha256Hex(token))
		.where("kind", "=", kind)
		.returning("failures")
		.executeTakeFirst();
	return row?.failures ?? 0;
}

/** Ends the tokens of a kind that a subject has. */
export async function endOneTimeTokens(metadata: Metadata, kind: TokenKind, subject: string | number): Promise<void> {
	await stored.drop(metadata, { kind, subject: String(subject) });
}

const wrongTokens = { name: "one-time-token", failures: 20, windowMs: 15 * MINUTE_MS } as const;

/**
 * Counts a token shown to a route that anybody may call, before it is looked up.
 * Throws `rate_limit_exceeded` after 20 wrong ones from an address (or the /64 network of an IPv6 address) in 15 minutes.
 */
export const countTokenAttempt = (deps: FailureDeps, ip: string): Promise<{ takeBack(): Promise<void> }> =>
	countAttempt(deps, wrongTokens, addressGroup(ip));
