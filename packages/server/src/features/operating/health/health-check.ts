import type { Clock } from "../../../platform/lib/clock.ts";
import { within } from "../../../platform/lib/within.ts";

const CHECK_TIMEOUT_MS = 3000;

/** One dependency that `/health` looks at. */
export interface HealthCheck {
	readonly run: () => Promise<HealthNote | undefined>;
	/** True when the service cannot do its work without it. */
	readonly isVital: boolean;
}

/** A message for the operator, without a secret. */
export interface HealthNote {
	/** Names the message, for texts in other languages. */
	readonly code: string;
	readonly message: string;
	/** Values that the message names. */
	readonly values?: Readonly<Record<string, string | number>>;
}

/** A failure with a message for the operator. */
export class HealthFault extends Error {
	override readonly name = "HealthFault";
	readonly note: HealthNote;

	constructor(code: string, message: string, values: HealthNote["values"] = {}) {
		super(message);
		this.note = { code, message, values };
	}
}

export interface CheckResult extends Partial<HealthNote> {
	readonly status: "healthy" | "unhealthy";
	readonly latency_ms: number;
}

/** Runs all checks at once, each with a time limit. */
export async function runChecks(
	clock: Clock,
	checks: Readonly<Record<string, HealthCheck>>,
): Promise<Record<string, CheckResult>> {
	const results = await Promise.all(
		Object.entries(checks).map(async ([name, check]) => [name, await runCheck(clock, check)] as const),
	);
	return Object.fromEntries(results);
}

async function runCheck(clock: Clock, check: HealthCheck): Promise<CheckResult> {
	const start = clock.monotonic();
	const latency = () => Math.round(clock.monotonic() - start);
	try {
		const done = check.run().then((note) => ({ note }));
		const answer = await within(clock, CHECK_TIMEOUT_MS, done);
		if (answer === undefined) throw new Error("timed out");
		return { status: "healthy", latency_ms: latency(), ...answer.note };
	} catch (error) {
		// Any other cause may hold an address or a password of the dependency: it is not for the answer.
		const note = error instanceof HealthFault ? error.note : { code: "not_reachable", message: "not reachable" };
		return { status: "unhealthy", latency_ms: latency(), ...note };
	}
}

/** `unhealthy` when a vital check failed, `degraded` when another did. */
export function overallStatus(
	checks: Readonly<Record<string, HealthCheck>>,
	results: Readonly<Record<string, CheckResult>>,
): "healthy" | "degraded" | "unhealthy" {
	const failed = Object.keys(checks).filter((name) => results[name]?.status !== "healthy");
	if (failed.length === 0) return "healthy";
	return failed.some((name) => checks[name]?.isVital === true) ? "unhealthy" : "degraded";
}
