import { Type } from "typebox";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { ErrorRef } from "../../../platform/http/schemas.ts";
import { equalConstantTime } from "../../../platform/lib/crypto.ts";
import type { ServiceMetrics } from "./service-metrics.ts";

export interface MetricsRouteDeps {
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
			checkToken(deps, request.headers.authorization);
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

function checkToken({ environment, metricsToken }: MetricsRouteDeps, given: string | undefined): void {
	if (environment !== "production") return;
	const isRight =
		given !== undefined && metricsToken !== undefined && equalConstantTime(given, `Bearer ${metricsToken}`);
	if (!isRight) throw new ServiceError("forbidden");
}
