import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
	BatchSpanProcessor,
	ParentBasedSampler,
	type SpanExporter,
	TraceIdRatioBasedSampler,
	TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Clock } from "../lib/clock.ts";
import { currentSpan, inSpan, type OpenSpan, type SpanFacts, type Trace } from "../lib/trace.ts";
import { within } from "../lib/within.ts";
import type { Log } from "../log/log.ts";

/** How long the end waits for what was not sent yet. */
const CLOSE_MS = 1000;
const SENT = 0;

interface TracingOptions {
	/** Where spans go: the address of `/v1/traces`. */
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly serviceName: string;
	readonly version: string;
	/** Share of the traces that begin here, from 0 to 1. */
	readonly ratio: number;
	readonly clock: Clock;
	readonly log: Log;
}

/** Traces that are sent to a collector of OpenTelemetry; closing sends what was not sent yet. */
export interface Tracing extends Trace {
	close(): Promise<void>;
}

interface Current {
	readonly context: Context;
	readonly headers: Readonly<Record<string, string>>;
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;
const propagator = new W3CTraceContextPropagator();

/** Begins to send spans. Nothing global is set, so that libraries which look for a tracer find none. */
export function openTracing({ url, headers, serviceName, version, ratio, clock, log }: TracingOptions): Tracing {
	const exporter = warningOnce(new OTLPTraceExporter({ url, headers: { ...headers } }), log);
	const provider = new TracerProvider({
		resource: resourceFromAttributes({ "service.name": serviceName, "service.version": version }),
		sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
		spanProcessors: [new BatchSpanProcessor({ exporter })],
	});
	const tracer = provider.getTracer("footfall", version);
	return {
		begin({ name, kind = "internal", attributes = {} }: SpanFacts, given) {
			const parent = given === undefined ? currentSpan<Current>()?.context : undefined;
			const context = parent ?? extract(given ?? {});
			return opened(tracer.startSpan(name, { kind: kinds[kind], attributes: { ...attributes } }, context), context);
		},
		close: async () => {
			await within(clock, CLOSE_MS, provider.shutdown()).catch(() => undefined);
		},
	};
}

function opened(span: Span, parent: Context): OpenSpan {
	const context = trace.setSpan(parent, span);
	const headers: Record<string, string> = {};
	propagator.inject(context, headers, { set: (carrier, name, value) => Object.assign(carrier, { [name]: value }) });
	return {
		within: (work) => inSpan<ReturnType<typeof work>>({ context, headers } as Current, work),
		set: (attributes) => void span.setAttributes({ ...attributes }),
		end: (failure) => {
			if (failure !== undefined) {
				span.setAttribute("error.type", failure);
				span.setStatus({ code: SpanStatusCode.ERROR });
			}
			span.end();
		},
	};
}

/** The span of another program in `traceparent` (W3C Trace Context); undefined if it is malformed. */
const extract = (headers: Readonly<Record<string, unknown>>): Context =>
	propagator.extract(ROOT_CONTEXT, headers, {
		keys: (carrier) => Object.keys(carrier),
		get: (carrier, name) => {
			const value = carrier[name];
			return typeof value === "string" ? value : undefined;
		},
	});

/** A collector that takes nothing is worth a line, not one every five seconds. */
function warningOnce(exporter: SpanExporter, log: Log): SpanExporter {
	let isTold = false;
	return {
		export: (spans, done) =>
			exporter.export(spans, (result) => {
				if (result.code !== SENT && !isTold) {
					log.warn({ setting: "OTEL_EXPORTER_OTLP_ENDPOINT" }, "Traces could not be sent; those are lost");
				}
				isTold = result.code !== SENT;
				done(result);
			}),
		forceFlush: async () => exporter.forceFlush?.(),
		shutdown: () => exporter.shutdown(),
	};
}
