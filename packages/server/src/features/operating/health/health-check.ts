import type { Clock } from "../../../platform/lib/clock.ts";
import { within } from "../../../platform/lib/within.ts";

const CHECK_TIMEOUT_MS = 3000;

/** One dependency that `/health` looks at. */
export interface HealthCheck {
	/** Looks at the dependency; rejects when it does not work. The answer, if any, is a note for the operator. */
	readonly run: () => Promise<string | undefined>;
	/** True when the service cannot do its work without it. */
	readonly isVital: boolean;
}

/** A failure with a message for the operator, without a secret. */
export class HealthFault extends Error {
	override readonly name = "HealthFault";
}

/** Result of a check. */
export interface CheckResult {
	readonly status: "healthy" | "unhealthy";
	readonly latency_ms: number;
	readonly message?: string;
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
		const done = check.run().then((message) => ({ message }));
		const answer = await within(clock, CHECK_TIMEOUT_MS, done);
		if (answer === undefined) throw new Error("timed out");
		const { message } = answer;
		return { status: "healthy", latency_ms: latency(), ...(message === undefined ? {} : { message }) };
	} catch (error) {
		// Any other cause may hold an address or a password of the dependency: it is not for the answer.
		const message = error instanceof HealthFault ? error.message : "not reachable";
		return { status: "unhealthy", latency_ms: latency(), message };
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
