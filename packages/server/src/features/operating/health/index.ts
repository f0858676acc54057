import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { ErrorRef, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { equalConstantTime } from "../../../platform/lib/crypto.ts";
import { answerProbe, PROBE_HEADER, type ProbeFacts } from "../../../platform/lib/probe.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import { within } from "../../../platform/lib/within.ts";

const Ready = Type.Object({
	status: OneOf(["ready", "not_ready"]),
	checks: Type.Record(Type.String(), OneOf(["ok", "failed"])),
});

export const OverallStatus = OneOf(["healthy", "degraded", "unhealthy"]);

/** Result of each check, by name. */
export const Checks = Type.Record(
	Type.String(),
	Type.Object({
		status: OneOf(["healthy", "unhealthy"]),
		latency_ms: Type.Optional(Type.Number()),
		message: Type.Optional(Type.String({ description: "In English", examples: ["not reachable"] })),
		code: Type.Optional(Type.String({ description: "Names the message", examples: ["not_reachable"] })),
		values: Type.Optional(
			Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()]), {
				description: "Values that the message names",
			}),
		),
	}),
);

const Health = Type.Object({
	status: OverallStatus,
	version: Type.String(),
	environment: Type.String(),
	checks: Checks,
	timestamp: Timestamp(),
});

export interface HealthDeps {
	readonly clock: Clock;
	readonly version: string;
	readonly environment: string;
	/** Token for `/health` in production; without one it is closed there. */
	readonly healthToken: string | undefined;
	/** Key of the probes by which `footfall doctor` finds out whether an address leads here; without one none is answered. */
	readonly probeKey?: Uint8Array;
	/** True while almost all hits come from addresses that many visitors share. */
	readonly sharesAddresses: () => boolean;
	readonly checks: Readonly<Record<string, HealthCheck>>;
	readonly readiness: Readonly<Record<string, HealthCheck>>;
}

const tags = ["Health"];
const config = { guard: { kind: "public" }, limit: "none" } as const;

/** Anybody may ask: so long a good answer of `/readyz` is given again. */
const READY_MS = 1000;

/** Registers `/livez`, `/readyz` and `/health`. */
export function registerHealth(app: App, deps: HealthDeps): void {
	const readiness = shared(deps.clock, () => runChecks(deps.clock, deps.readiness));
	addRoute(app, "GET /livez", {
		tags,
		summary: "Liveness: the process runs",
		...config,
		answer: Type.Object({ status: Type.Literal("ok") }),
		handler: async (request, reply) => {
			const answer =
				deps.probeKey && answerProbe(deps.probeKey, request.headers[PROBE_HEADER], () => requestFacts(deps, request));
			if (answer !== undefined) reply.header(PROBE_HEADER, answer);
			return { status: "ok" as const };
		},
	});
	app.route({
		method: "GET",
		url: "/readyz",
		schema: { tags, summary: "Readiness: the service can answer requests", response: { 200: Ready, 503: Ready } },
		config,
		handler: async (_request, reply) => {
			const results = Object.entries(await readiness());
			const isReady = areHealthy(results.map(([, result]) => result));
			if (!isReady) reply.code(503).header("retry-after", "5");
			return {
				status: isReady ? ("ready" as const) : ("not_ready" as const),
				checks: Object.fromEntries(
					results.map(([name, { status }]) => [name, status === "healthy" ? ("ok" as const) : ("failed" as const)]),
				),
			};
		},
	});
	app.route({
		method: "GET",
		url: "/health",
		schema: {
			tags,
			summary: "State of every dependency",
			headers: Type.Object({
				"x-health-token": Type.Optional(Type.String({ maxLength: 256, description: "Required in production" })),
			}),
			response: { 200: Health, 403: ErrorRef },
		},
		config,
		handler: async (request) => {
			checkToken(deps.environment, deps.healthToken, request.headers["x-health-token"]);
			return {
				...(await lookAtHealth(deps)),
				version: deps.version,
				environment: deps.environment,
				timestamp: timestamp(deps.clock.now()),
			};
		},
	});
}

type Results = Awaited<ReturnType<typeof runChecks>>;

const areHealthy = (results: readonly Results[string][]): boolean =>
	results.every(({ status }) => status === "healthy");

/** Runs checks one at a time for everybody who asks meanwhile; good results count for a second. */
function shared(clock: Clock, run: () => Promise<Results>): () => Promise<Results> {
	let latest: Promise<Results> | undefined;
	let until = Number.POSITIVE_INFINITY;
	return () => {
		if (latest !== undefined && clock.monotonic() < until) return latest;
		until = Number.POSITIVE_INFINITY;
		latest = run().then((results) => {
			until = clock.monotonic() + (areHealthy(Object.values(results)) ? READY_MS : 0);
			return results;
		});
		return latest;
	};
}

/** How a request has reached this process, and whether hits do the same. */
export const requestFacts = ({ sharesAddresses }: HealthDeps, request: FastifyRequest): ProbeFacts => ({
	isSecure: request.protocol === "https",
	isForwarded: request.headers["x-forwarded-for"] !== undefined,
	isTrusted: (request.ips?.length ?? 1) > 1,
	sharesAddresses: sharesAddresses(),
});

export async function lookAtHealth({ clock, checks }: HealthDeps) {
	const results = await runChecks(clock, checks);
	return { status: overallStatus(checks, results), checks: results };
}

/** Throws `forbidden` in production unless the token is given; without a token what it opens is closed there. */
export function checkToken(environment: string, token: string | undefined, given: string | undefined): void {
	if (environment !== "production") return;
	if (given === undefined || token === undefined || !equalConstantTime(given, token))
		throw new ServiceError("forbidden");
}

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

/** Runs all checks at once, each with a time limit. */
async function runChecks(clock: Clock, checks: Readonly<Record<string, HealthCheck>>) {
	const results = await Promise.all(
		Object.entries(checks).map(async ([name, check]) => [name, await runCheck(clock, check)] as const),
	);
	return Object.fromEntries(results);
}

async function runCheck(clock: Clock, check: HealthCheck) {
	const start = clock.monotonic();
	const latency = () => Math.round(clock.monotonic() - start);
	try {
		const done = check.run().then((note) => ({ note }));
		const answer = await within(clock, CHECK_TIMEOUT_MS, done);
		if (answer === undefined) throw new Error("timed out");
		return { status: "healthy" as const, latency_ms: latency(), ...answer.note };
	} catch (error) {
		// Any other cause may hold an address or a password of the dependency: it is not for the answer.
		const note = error instanceof HealthFault ? error.note : { code: "not_reachable", message: "not reachable" };
		return { status: "unhealthy" as const, latency_ms: latency(), ...note };
	}
}

/** `unhealthy` when a vital check failed, `degraded` when another did. */
function overallStatus(checks: HealthDeps["checks"], results: Results): "healthy" | "degraded" | "unhealthy" {
	const failed = Object.keys(checks).filter((name) => results[name]?.status !== "healthy");
	if (failed.length === 0) return "healthy";
	return failed.some((name) => checks[name]?.isVital === true) ? "unhealthy" : "degraded";
}
