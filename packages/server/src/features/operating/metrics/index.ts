/** Figures of the process for Prometheus (text format 0.0.4). */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { Type } from "typebox";
import type { StoreObserver } from "../../../platform/event-store/layers.ts";
import type { App } from "../../../platform/http/app.ts";
import { ErrorRef } from "../../../platform/http/schemas.ts";
import type { JobCount } from "../../../platform/jobs/job-overview.ts";
import { checkToken } from "../health/index.ts";

/** How the collector's spool stands. */
interface SpoolState {
	readonly waitingBytes: number;
	/** Age of the oldest hit that waits; undefined when none does. */
	readonly waitingMs: number | undefined;
	readonly refused: { readonly rows: number; readonly damaged: number };
}

export interface MetricsDeps {
	readonly version: string;
	readonly roles: readonly string[];
	readonly hits: () => Readonly<Record<string, number>> | undefined;
	/** Undefined when this process does not collect. */
	readonly spool: () => SpoolState | undefined;
	/** Memory of the event store's process; undefined where there is none, or the system does not tell. */
	readonly storeBytes: () => Promise<number | undefined>;
	readonly diskFreeBytes: () => Promise<number>;
	/** Undefined where TLS belongs to a proxy; its end is in milliseconds since the Unix epoch, unknown while there is none. */
	readonly certificate: () => { readonly endsAt: number | undefined; readonly failures: number } | undefined;
	/** Rejects while the metadata store does not answer. */
	readonly accountsAnswer: () => Promise<void>;
	/** Whether Redis does not answer; undefined when this process does not collect. */
	readonly sessionsAway: () => boolean | undefined;
	readonly clockMs: () => number;
	readonly jobs: () => Promise<readonly JobCount[]>;
	/** 0 when none is due. */
	readonly jobDueSeconds: () => Promise<number>;
	/** The last backup that was to be made, and the last that was; undefined when none was ever to be. */
	readonly backups: () => Promise<
		| { readonly isFailed: boolean; readonly doneAtMs: number | undefined; readonly bytes: number | undefined }
		| undefined
	>;
	readonly deliveries: () => Promise<readonly { readonly state: string; readonly count: number }[]>;
}

const STORE_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const REQUEST_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

type NumberGauge = readonly [
	name: string,
	help: string,
	read: () => number | null | undefined | Promise<number | null | undefined>,
];

/** The figures of this process that are noted as things happen; the others are read when they are asked for. */
export class ServiceMetrics {
	readonly #registry = new Registry();
	readonly #answers = new Counter({
		name: "footfall_report_answers_total",
		help: "Questions of reports, by where the answer came from",
		labelNames: ["from"],
		registers: [this.#registry],
	});
	readonly #store = new Histogram({
		name: "footfall_event_store_seconds",
		help: "Time of the event store's work; a stream lasts until its last row was read",
		labelNames: ["work", "outcome"],
		buckets: STORE_SECONDS,
		registers: [this.#registry],
	});
	readonly #requests = new Histogram({
		name: "footfall_http_request_seconds",
		help: "Time to answer requests other than hits, by part of the API and class of status",
		labelNames: ["part", "status"],
		buckets: REQUEST_SECONDS,
		registers: [this.#registry],
	});
	#readsProcess = false;

	readonly storeWorked: StoreObserver = (work, seconds, isDone) => {
		this.#store.observe({ work, outcome: isDone ? "done" : "failed" }, seconds);
	};

	/** Notes where the answer to a question came from. */
	readonly answered = (from: "memory" | "shared" | "store"): void => this.#answers.inc({ from });

	/** Notes an answered request: `route` is the pattern of the matched route, undefined where none matched. */
	requestEnded(route: string | undefined, status: number, seconds: number): void {
		this.#requests.observe({ part: partOf(route), status: `${Math.floor(status / 100)}xx` }, seconds);
	}

	/** All figures in Prometheus' text format. */
	text(): Promise<string> {
		// Watching the event loop and the collector of garbage costs a little: nothing before somebody wants to know.
		if (!this.#readsProcess) collectDefaultMetrics({ register: this.#registry });
		this.#readsProcess = true;
		return this.#registry.metrics();
	}

	get contentType(): string {
		return this.#registry.contentType;
	}

	read(deps: MetricsDeps): void {
		this.#readCollector(deps);
		this.#gauge("footfall_info", "1, with the version and what this process does", ["version", "roles"], (gauge) =>
			gauge.set({ version: deps.version, roles: deps.roles.join(",") }, 1),
		);
		this.#numbers([
			["store_process_bytes", "Memory of the embedded event store's process", deps.storeBytes],
			["disk_free_bytes", "Room on the disk of the data directory", deps.diskFreeBytes],
			["accounts_up", "1 while the accounts' store answers, else 0", () => succeeds(deps.accountsAnswer())],
			[
				"redis_away",
				"1 while Redis does not answer and visits are kept in memory",
				() => Number(deps.sessionsAway() ?? false),
			],
			["clock_seconds", "Clock of this machine, Unix time", () => deps.clockMs() / 1000],
			[
				"certificate_end_seconds",
				"End of the TLS certificate, Unix time",
				() => secondsOf(deps.certificate()?.endsAt) ?? null,
			],
			[
				"certificate_failures",
				"Failures in a row to have a new certificate",
				() => deps.certificate()?.failures ?? null,
			],
		]);
		this.#gauge(
			"footfall_jobs",
			"Jobs by kind and state; done ones are known for a day",
			["kind", "state"],
			async (gauge) => {
				for (const { kind, state, count } of await deps.jobs()) gauge.set({ kind, state }, Number(count));
			},
		);
		this.#numbers([
			["job_due_seconds", "For how long the oldest due job has waited", deps.jobDueSeconds],
			[
				"backup_failed",
				"1 when the last backup failed, else 0",
				async () => Number((await deps.backups())?.isFailed ?? false),
			],
			[
				"backup_timestamp_seconds",
				"When the last complete backup was made; 0 = never",
				async () => secondsOf((await deps.backups())?.doneAtMs),
			],
			["backup_bytes", "Size of the last complete backup", async () => (await deps.backups())?.bytes],
		]);
		this.#gauge("footfall_webhook_deliveries", "Webhook deliveries of 30 days by state", ["state"], async (gauge) => {
			for (const { state, count } of await deps.deliveries()) gauge.set({ state }, Number(count));
		});
	}

	#readCollector({ hits, spool }: MetricsDeps): void {
		if (hits() === undefined) return;
		const registry = this.#registry;
		new Counter({
			name: "footfall_hits_total",
			help: "Hits by what became of them: kept, unstored, or the reason why they were rejected",
			labelNames: ["outcome"],
			registers: [registry],
			collect() {
				this.reset();
				for (const [outcome, count] of Object.entries(hits() ?? {})) this.inc({ outcome }, count);
			},
		});
		this.#numbers([
			["spool_waiting_bytes", "Accepted hits that are not in the event store yet", () => spool()?.waitingBytes],
			["spool_waiting_seconds", "Age of the oldest of them", () => secondsOf(spool()?.waitingMs)],
			["spool_refused_rows", "Rows that the event store refused for good", () => spool()?.refused.rows],
			["spool_damaged_files", "Files of the spool that were set aside as damaged", () => spool()?.refused.damaged],
		]);
	}

	/** Gauges of one number each: 0 while it is unknown, and absent when it is null. */
	#numbers(gauges: readonly NumberGauge[]): void {
		for (const [name, help, read] of gauges) {
			this.#gauge(`footfall_${name}`, help, [], async (gauge) => {
				const value = await read();
				if (value === null) gauge.remove();
				else if (value !== undefined) gauge.set(value);
			});
		}
	}

	/** A gauge whose values are read at each scrape; an error leaves the others intact. */
	#gauge(name: string, help: string, labelNames: string[], read: (gauge: Gauge) => void | Promise<void>): void {
		new Gauge({
			name,
			help,
			labelNames,
			registers: [this.#registry],
			async collect() {
				this.reset();
				await Promise.resolve(read(this)).catch(() => this.reset());
			},
		});
	}
}

const secondsOf = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : ms / 1000);

const succeeds = (work: Promise<void>): Promise<number> =>
	work.then(
		() => 1,
		() => 0,
	);

/** The first word of the path below `/api/v1`, which names no customer; `other` for what matches no route. */
function partOf(route: string | undefined): string {
	if (route === undefined) return "other";
	const [, first = "", ...rest] = route.split("/");
	const word = first === "api" ? rest[1] : first;
	return word === undefined || word === "" || word.includes(":") || word.includes("*") ? "other" : word;
}

interface MetricsRouteDeps {
	readonly metrics: ServiceMetrics;
	readonly environment: string;
	/** Token for the metrics in production; without one they are closed there. */
	readonly metricsToken: string | undefined;
}

/** Registers `/metrics`. */
export function registerMetrics(app: App, deps: MetricsRouteDeps): void {
	app.route({
		method: "GET",
		url: "/metrics",
		schema: {
			tags: ["Health"],
			summary: "Metrics of this process for Prometheus",
			description:
				"Prometheus text format. In production it requires `Authorization: Bearer` with the token of `METRICS_TOKEN`.",
			headers: Type.Object({ authorization: Type.Optional(Type.String({ maxLength: 1024 })) }),
			response: {
				200: { description: "Metrics", content: { "text/plain": { schema: Type.String() } } },
				403: ErrorRef,
			},
		},
		config: { guard: { kind: "public" }, limit: "none" },
		handler: async (request, reply) => {
			const token = deps.metricsToken && `Bearer ${deps.metricsToken}`;
			checkToken(deps.environment, token, request.headers.authorization);
			const text = await deps.metrics.text();
			return reply.type(deps.metrics.contentType).header("cache-control", "no-store").send(text);
		},
	});
}

/** Notes how long each answer of the service took. Must be called before the routes are registered. */
export function measureRequests(app: App, metrics: ServiceMetrics): void {
	app.addHook("onResponse", (request, reply, done) => {
		metrics.requestEnded(request.routeOptions.url, reply.statusCode, reply.elapsedTime / 1000);
		done();
	});
}
