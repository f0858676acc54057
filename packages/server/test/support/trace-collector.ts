import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

interface Attribute {
	readonly key: string;
	readonly value: { readonly stringValue?: string; readonly intValue?: number | string; readonly doubleValue?: number };
}

interface SentSpan {
	readonly traceId: string;
	readonly spanId: string;
	readonly parentSpanId?: string;
	readonly name: string;
	readonly kind: number;
	readonly attributes: readonly Attribute[];
	readonly status: { readonly code?: number };
	readonly startTimeUnixNano: string;
	readonly endTimeUnixNano: string;
}

interface Sent {
	readonly resourceSpans: readonly {
		readonly resource: { readonly attributes: readonly Attribute[] };
		readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
	}[];
}

/** A span as it arrived. */
export interface ArrivedSpan extends Omit<SentSpan, "attributes"> {
	readonly attributes: Readonly<Record<string, string | number>>;
}

/** A collector of OpenTelemetry that takes OTLP over HTTP, as JSON. */
export interface TraceCollector {
	readonly url: string;
	/** Headers of what arrived, and the bodies as they were. */
	readonly requests: { readonly headers: IncomingHttpHeaders; readonly path: string; readonly body: string }[];
	spans(): ArrivedSpan[];
	resource(): Readonly<Record<string, string | number>>;
	close(): Promise<void>;
}

/** Starts one on a free port, which answers with a status. */
export async function openTraceCollector(status = 200): Promise<TraceCollector> {
	const requests: TraceCollector["requests"] = [];
	const server = createServer(async (request, response) => {
		requests.push({ headers: request.headers, path: request.url ?? "", body: await text(request) });
		response.writeHead(status, { "content-type": "application/json" }).end("{}");
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	const sent = () => requests.flatMap(({ body }) => (JSON.parse(body) as Sent).resourceSpans);
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		requests,
		spans: () =>
			sent()
				.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
				.map((span) => ({ ...span, attributes: valuesOf(span.attributes) })),
		resource: () => valuesOf(sent()[0]?.resource.attributes ?? []),
		close: async () => {
			server.closeAllConnections();
			await new Promise((done) => server.close(done));
		},
	};
}

const valuesOf = (attributes: readonly Attribute[]) =>
	Object.fromEntries(
		attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue ?? value.doubleValue)]),
	);
