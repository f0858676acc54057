import packageInfo from "../../package.json" with { type: "json" };
import type { ReadyConfig } from "../platform/config/secret-key.ts";
import type { EventStore } from "../platform/event-store/event-store.ts";
import { traceStore } from "../platform/event-store/layers.ts";
import type { Clock } from "../platform/lib/clock.ts";
import { type Trace, untraced } from "../platform/lib/trace.ts";
import type { Log } from "../platform/log/log.ts";
import type { Tracing } from "../platform/tracing/open-tracing.ts";

/** Begins to send traces where the operator wants it; nothing of it is loaded elsewhere. */
export async function openTracing({
	config,
	clock,
	log,
}: {
	readonly config: ReadyConfig;
	readonly clock: Clock;
	readonly log: Log;
}): Promise<Tracing | undefined> {
	if (config.otelExporterOtlpEndpoint === undefined) return undefined;
	const { openTracing: open } = await import("../platform/tracing/open-tracing.ts");
	return open({
		url: `${config.otelExporterOtlpEndpoint}/v1/traces`,
		headers: config.otelExporterOtlpHeaders ?? {},
		serviceName: config.otelServiceName,
		version: packageInfo.version,
		ratio: config.otelTracesSamplerArg,
		clock,
		log,
	});
}

/** Adds tracing, including the work of the event store. */
export function traceWith(
	tracing: Tracing | undefined,
	eventStore: EventStore,
): { readonly trace: Trace; readonly eventStore: EventStore } {
	if (tracing === undefined) return { trace: untraced, eventStore };
	return { trace: tracing, eventStore: traceStore(eventStore, tracing) };
}
