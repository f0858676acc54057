import assert from "node:assert/strict";
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { createSite, signIn } from "../../../test/support/accounts.ts";
import { askPlainly } from "../../../test/support/ask-plainly.ts";
import { sendHit } from "../../../test/support/hits.ts";
import { listenLocally } from "../../../test/support/local-server.ts";
import { testApp } from "../../../test/support/test-app.ts";
import { openStoreClient } from "../event-store/client/store-client.ts";
import { inSpan } from "../lib/trace.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";

type Attributes = readonly { readonly key: string; readonly value: { stringValue?: string; intValue?: number } }[];

interface Span
	extends Readonly<Record<"traceId" | "spanId" | "name" | "startTimeUnixNano" | "endTimeUnixNano", string>> {
	readonly parentSpanId?: string;
	readonly kind: number;
	readonly attributes: Attributes;
}

interface Sent {
	readonly resource: { readonly attributes: Attributes };
	readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
}

const valuesOf = (attributes: Attributes = []) =>
	Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));

/** The address of a server on a free port. */
async function serve(t: TestContext, listener: RequestListener): Promise<string> {
	const { port, close } = await listenLocally(createServer(listener));
	t.after(close);
	return `http://127.0.0.1:${port}`;
}

/** A traced service, and what has arrived at its collector, which answers with a status, once it has ended. */
async function traced(t: TestContext, env: Readonly<Record<string, string>> = {}, status = 200) {
	const requests: { headers: IncomingHttpHeaders; path: string; body: string }[] = [];
	const url = await serve(t, async (request, response) => {
		requests.push({ headers: request.headers, path: request.url ?? "", body: await text(request) });
		response.writeHead(status, { "content-type": "application/json" }).end("{}");
	});
	const app = await testApp({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: url, ...env } });
	const sent = () => requests.flatMap(({ body }): Sent[] => JSON.parse(body).resourceSpans);
	const spans = () => sent().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans: some }) => some));
	return { app, requests, spans, resource: () => valuesOf(sent()[0]?.resource.attributes) };
}

test("requests and batches, what they ask the event store, jobs and loads of the spool arrive as spans, without anything of anybody", async (t) => {
	const { app, requests, spans, resource } = await traced(t, {
		OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20sesame",
		OTEL_SERVICE_NAME: "stats",
	});
	const session = await signIn(app);
	const site = await createSite(app, session, { domains: ["shop.example"] });
	await sendHit(app, { site, url: "https://shop.example/secret-path?email=eve@example.net", ip: "203.0.113.77" });
	await app.collector?.flush();
	const url = `/api/v1/stats/overview?site_id=${site}&period=7d`;
	const headers = { ...session.headers, traceparent: `00-${TRACE}-${SPAN}-01`, "x-forwarded-for": "203.0.113.78" };
	assert.equal((await app.inject({ url, headers })).statusCode, 200);
	await app.inject({ url: "/api/v1/no-such-secret-path" });
	await app.inject({ method: "POST", url: "/api/v1/auth/forgot-password", payload: { email: "ann@example.com" } });
	await app.jobs.runDue();
	const address = await app.address();
	for (const path of ["/livez", "/livez"]) await askPlainly(address + path);
	const payload = { queries: [{ id: "one", endpoint: "/stats/overview", params: { site_id: site, period: "7d" } }] };
	const batch = await app.inject({ method: "POST", url: "/api/v1/batch", headers: session.headers, payload });
	assert.equal(batch.statusCode, 200, batch.body);
	await app.close();

	const named = (name: string) => spans().filter((span) => span.name === name);
	// Requests of one connection are traces of their own; queries of a batch belong to its trace.
	const alive = named("GET /livez");
	assert.equal(new Set(alive.map(({ traceId }) => traceId)).size, 2);
	assert.ok(alive.every(({ parentSpanId }) => parentSpanId === undefined || parentSpanId === ""));
	const [whole] = named("POST /api/v1/batch");
	const [report, part] = named("GET /api/v1/stats/overview");
	assert.deepEqual([part?.traceId, part?.parentSpanId], [whole?.traceId, whole?.spanId]);
	assert.equal(resource()["service.name"], "stats");
	assert.deepEqual([requests[0]?.path, requests[0]?.headers.authorization], ["/v1/traces", "Bearer sesame"]);
	assert.deepEqual([report?.traceId, report?.parentSpanId, report?.kind], [TRACE, SPAN, 2]);
	assert.deepEqual(valuesOf(report?.attributes), {
		"http.request.method": "GET",
		"http.route": "/api/v1/stats/overview",
		"http.response.status_code": 200,
	});
	const questions = named("event store query").filter(({ traceId }) => traceId === TRACE);
	assert.ok(questions.length > 0 && questions.every(({ parentSpanId }) => parentSpanId === report?.spanId));
	const [load] = named("spool load");
	const [insert] = named("event store insert").filter(({ parentSpanId }) => parentSpanId === load?.spanId);
	assert.equal(valuesOf(insert?.attributes)["db.collection.name"], "events");
	assert.ok(BigInt(insert?.startTimeUnixNano ?? 0) <= BigInt(insert?.endTimeUnixNano ?? 0));
	assert.ok(spans().some(({ name }) => name.startsWith("job ")));
	assert.equal(named("GET").length, 1);
	const all = requests.map(({ body }) => body).join("");
	assert.doesNotMatch(all, /203\.0\.113|secret-path|shop\.example|eve@|ann@|sesame/);
	assert.ok(!all.includes(site) || site.length < 5, "no site is named");
	for (const secret of Object.values(session.headers)) assert.ok(!all.includes(secret));
});

test("a share of nothing sends nothing but what a trusted proxy began to trace", async (t) => {
	const { app, spans } = await traced(t, { OTEL_TRACES_SAMPLER_ARG: "0", TRUST_PROXY: "10.0.0.1" });
	const forwarded = { "x-forwarded-for": "203.0.113.7" };
	const began = { traceparent: `00-${TRACE}-${SPAN}-01` };
	for (const [remoteAddress, headers] of [
		["10.0.0.1", forwarded],
		["10.0.0.1", { ...forwarded, ...began }],
		["10.0.0.1", { ...forwarded, traceparent: `00-${TRACE}-${SPAN}-00` }],
		["10.0.0.1", { ...forwarded, traceparent: "nonsense" }],
		["203.0.113.7", { ...forwarded, ...began }],
		["203.0.113.7", began],
	] as const) {
		await app.inject({ url: "/livez", remoteAddress, headers });
	}
	await app.close();
	const sent = spans().map(({ name, traceId }) => [name, traceId]);
	assert.deepEqual(sent, [["GET /livez", TRACE]]);
});

test("the event store is told within which span it is asked", async (t) => {
	const told: unknown[] = [];
	const url = await serve(t, (request, response) => {
		told.push(request.headers.traceparent);
		response.end("{}");
	});
	const client = openStoreClient({ url });
	t.after(() => client.close());
	const ask = () => client.send({ fields: {}, sql: "SELECT 1", withinMs: 30_000 }).then(({ body }) => body.dump());
	await ask();
	await inSpan({ headers: { traceparent: "00-a-b-01" } }, ask);
	assert.deepEqual(told, [undefined, "00-a-b-01"]);
});

test("a collector that takes nothing costs a line and nothing else", async (t) => {
	const { app } = await traced(t, {}, 403);
	assert.equal((await app.inject({ url: "/livez" })).statusCode, 200);
	await app.close();
	assert.equal(app.logLines.filter((line) => line.includes("Traces could not be sent")).length, 1);
});
