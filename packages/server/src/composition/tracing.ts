import packageInfo from "../../package.json" with { type: "json" };
import type { EventStore } from "../platform/event-store/event-store.ts";
import { traceStore } from "../platform/event-store/layers.ts";
import { untraced } from "../platform/lib/trace.ts";
import type { Tracing } from "../platform/tracing/open-tracing.ts";
import type { AppDeps } from "./app-deps.ts";

type TracingDeps = Pick<AppDeps, "config" | "clock" | "log">;

/** Begins to send traces where the operator wants it; nothing of it is loaded elsewhere. */
export async function openTracing({ config, clock, log }: TracingDeps): Promise<Tracing | undefined> {
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

export function traceWith(tracing: Tracing | undefined, eventStore: EventStore) {
	if (tracing === undefined) return { trace: untraced, eventStore };
	return { trace: tracing, eventStore: traceStore(eventStore, tracing) };
}
