import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { deriveKey, hmacHex } from "../../../platform/lib/crypto.ts";
import { HOUR_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** So many failures of one subject are let through in a span of time. */
interface FailureLimit {
	/** Keeps the counts of one limit apart from those of another. */
	readonly name: string;
	readonly failures: number;
	/** At most `KEPT_MS`. */
	readonly windowMs: number;
}

export interface FailureDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	readonly secretKey: string;
}

/** An attempt that counts as failed until it is taken back. */
interface Attempt {
	/** The refusal, when there were too many failures before this one. */
	readonly refusal: ServiceError | undefined;
	takeBack(): Promise<void>;
	/** Earlier failures of the subject no longer count either. */
	forgetAll(): Promise<void>;
}

const KEPT_MS = HOUR_MS;
const noted = tableOf("login_failures");

/**
 * Notes an attempt before its secret is looked at, so that guesses sent at once count too. The counts are stored, so that they
 * outlive a restart and hold for all processes together; of the subject only a keyed hash is kept.
 */
export async function noteAttempt(deps: FailureDeps, limit: FailureLimit, subject: string): Promise<Attempt> {
	const { metadata } = deps;
	const now = deps.clock.now();
	const hashed = hashOf(deps, limit, subject);
	await noted.drop(metadata, { failed_at: { "<=": now - KEPT_MS } });
	const { id } = await noted.insert(metadata, { subject: hashed, failed_at: now });
	// Those that came later do not count.
	const counted = { subject: hashed, failed_at: { ">": now - limit.windowMs }, id: { "<=": id } };
	const failures = await noted.list(metadata, counted, "id");
	const oldest = failures[failures.length - 1 - limit.failures];
	return {
		refusal: oldest && tooMany(oldest.failed_at + limit.windowMs - now),
		takeBack: () => noted.drop(metadata, { subject: hashed, id }),
		forgetAll: () => noted.drop(metadata, { subject: hashed }),
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
	const failed_at = { ">": deps.clock.now() - limit.windowMs };
	return (await noted.count(deps.metadata, { subject: hashOf(deps, limit, subject), failed_at })) > 0;
}

const hashOf = ({ secretKey }: FailureDeps, { name }: FailureLimit, subject: string): string =>
	hmacHex(deriveKey(secretKey, "failure-limit"), `${name}\n${subject}`);

function tooMany(waitMs: number): ServiceError {
	const retryAfter = Math.max(1, Math.ceil(waitMs / 1000));
	const message = `Too many requests. Try again in ${retryAfter} seconds.`;
	return new ServiceError("rate_limit_exceeded", { message, retryAfter });
}
