import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { deriveKey, hmacHex } from "../../../platform/lib/crypto.ts";
import { HOUR_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { deleteFailures, forgetFailures, insertFailure, selectFailures } from "./store.ts";

/** So many failures of one subject are let through in a span of time. */
export interface FailureLimit {
	/** Keeps the counts of one limit apart from those of another. */
	readonly name: string;
	readonly failures: number;
	/** At most an hour. */
	readonly windowMs: number;
}

/** Dependencies of counting. */
export interface FailureDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	/** The server's secret. */
	readonly secretKey: string;
}

/** An attempt that counts as failed until it is taken back. */
export interface Attempt {
	/** The refusal, when there were too many failures before this one. */
	readonly refusal: ServiceError | undefined;
	/** This attempt was no failure. */
	takeBack(): Promise<void>;
	/** Earlier failures of the subject no longer count either. */
	forgetAll(): Promise<void>;
}

/** Nothing is counted over a longer span. */
const KEPT_MS = HOUR_MS;

/**
 * Notes an attempt before its secret is looked at, so that guesses sent at once count too. The counts are stored, so that they
 * outlive a restart and hold for all processes together; of the subject only a keyed hash is kept.
 */
export async function noteAttempt(deps: FailureDeps, limit: FailureLimit, subject: string): Promise<Attempt> {
	const { metadata } = deps;
	const now = deps.clock.now();
	const hashed = hashOf(deps, limit, subject);
	await forgetFailures(metadata, now - KEPT_MS);
	const id = await insertFailure(metadata, hashed, now);
	const failures = await selectFailures(metadata, { subject: hashed, sinceMs: now - limit.windowMs, upToId: id });
	const oldest = failures[failures.length - 1 - limit.failures];
	return {
		refusal: oldest === undefined ? undefined : tooMany(oldest + limit.windowMs - now),
		takeBack: () => deleteFailures(metadata, { id }),
		forgetAll: () => deleteFailures(metadata, { subject: hashed }),
	};
}

/** Counts an attempt, or throws `rate_limit_exceeded`; a refused attempt does not count. */
export async function countAttempt(deps: FailureDeps, limit: FailureLimit, subject: string): Promise<Attempt> {
	const attempt = await noteAttempt(deps, limit, subject);
	if (attempt.refusal === undefined) return attempt;
	await attempt.takeBack();
	throw attempt.refusal;
}

/** True when the subject has anything noted within the limit's span. */
export async function hasAttempts(deps: FailureDeps, limit: FailureLimit, subject: string): Promise<boolean> {
	const sinceMs = deps.clock.now() - limit.windowMs;
	return (await selectFailures(deps.metadata, { subject: hashOf(deps, limit, subject), sinceMs })).length > 0;
}

const hashOf = ({ secretKey }: FailureDeps, { name }: FailureLimit, subject: string): string =>
	hmacHex(deriveKey(secretKey, "failure-limit"), `${name}\n${subject}`);

function tooMany(waitMs: number): ServiceError {
	const retryAfter = Math.max(1, Math.ceil(waitMs / 1000));
	return new ServiceError("rate_limit_exceeded", {
		message: `Too many requests. Try again in ${retryAfter} seconds.`,
		retryAfter,
	});
}
