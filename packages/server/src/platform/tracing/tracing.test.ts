import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { createSite, signIn } from "../../../test/support/accounts.ts";
import { askPlainly } from "../../../test/support/ask-plainly.ts";
import { sendHit } from "../../../test/support/hits.ts";
import { testApp } from "../../../test/support/test-app.ts";
import { type ArrivedSpan, openTraceCollector } from "../../../test/support/trace-collector.ts";
import { openStoreClient } from "../event-store/client/store-client.ts";
import { inSpan } from "../lib/trace.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";
/** A traced service, and the spans that arrive once it has ended. */
async function traced(t: TestContext, env: Readonly<Record<string, string>> = {}, status = 200) {
	const collector = await openTraceCollector(status);
	const app = await testApp({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env } });
	t.after(() => collector.close());
	return { collector, app };
}

const named = (spans: readonly ArrivedSpan[], name: string) => spans.filter((span) => span.name === name);

test("requests and batches, what they ask the event store, jobs and loads of the spool arrive as spans, without anything of anybody", async (t) => {
	const { collector, app } = await traced(t, {
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

	const spans = collector.spans();
	// Requests of one connection are traces of their own; queries of a batch belong to its trace.
	const alive = named(spans, "GET /livez");
	assert.equal(new Set(alive.map(({ traceId }) => traceId)).size, 2);
	assert.ok(alive.every(({ parentSpanId }) => parentSpanId === undefined || parentSpanId === ""));
	const [whole] = named(spans, "POST /api/v1/batch");
	const [report, part] = named(spans, "GET /api/v1/stats/overview");
	assert.deepEqual([part?.traceId, part?.parentSpanId], [whole?.traceId, whole?.spanId]);
	assert.deepEqual(collector.resource()["service.name"], "stats");
	assert.deepEqual(
		[collector.requests[0]?.path, collector.requests[0]?.headers.authorization],
		["/v1/traces", "Bearer sesame"],
	);
	assert.deepEqual([report?.traceId, report?.parentSpanId, report?.kind], [TRACE, SPAN, 2]);
	assert.deepEqual(report?.attributes, {
		"http.request.method": "GET",
		"http.route": "/api/v1/stats/overview",
		"http.response.status_code": 200,
	});
	const questions = named(spans, "event store query").filter(({ traceId }) => traceId === TRACE);
	assert.ok(questions.length > 0);
	assert.ok(questions.every(({ parentSpanId }) => parentSpanId === report?.spanId));
	const [load] = named(spans, "spool load");
	const [insert] = named(spans, "event store insert").filter(({ parentSpanId }) => parentSpanId === load?.spanId);
	assert.equal(insert?.attributes["db.collection.name"], "events");
	assert.ok(BigInt(insert?.startTimeUnixNano ?? 0) <= BigInt(insert?.endTimeUnixNano ?? 0));
	assert.ok(spans.some(({ name }) => name.startsWith("job ")));
	assert.equal(named(spans, "GET").length, 1);
	const all = collector.requests.map(({ body }) => body).join("");
	assert.doesNotMatch(all, /203\.0\.113|secret-path|shop\.example|eve@|ann@|sesame/);
	assert.ok(!all.includes(site) || site.length < 5, "no site is named");
	for (const secret of Object.values(session.headers)) assert.ok(!all.includes(secret));
});

test("a share of nothing sends nothing but what a trusted proxy began to trace", async (t) => {
	const { collector, app } = await traced(t, { OTEL_TRACES_SAMPLER_ARG: "0", TRUST_PROXY: "10.0.0.1" });
	const ask = (flags: string, remoteAddress = "10.0.0.1", forwarded = true) =>
		app.inject({
			url: "/livez",
			remoteAddress,
			headers: {
				...(flags !== "" && { traceparent: flags.length > 2 ? flags : `00-${TRACE}-${SPAN}-${flags}` }),
				...(forwarded && { "x-forwarded-for": "203.0.113.7" }),
			},
		});
	await ask("");
	await ask("01");
	await ask("00");
	await ask("nonsense");
	await ask("01", "203.0.113.7");
	await ask("01", "203.0.113.7", false);
	await app.close();
	assert.deepEqual(
		collector.spans().map(({ name, traceId }) => [name, traceId]),
		[["GET /livez", TRACE]],
	);
});

test("the event store is told within which span it is asked", async (t) => {
	const told: unknown[] = [];
	const server = createServer((request, response) => {
		told.push(request.headers.traceparent);
		response.end("{}");
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	const client = openStoreClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
	t.after(async () => {
		await client.close();
		await new Promise((done) => server.close(done));
	});
	const ask = () => client.send({ fields: {}, sql: "SELECT 1", withinMs: 30_000 }).then(({ body }) => body.dump());
	await ask();
	await inSpan({ headers: { traceparent: "00-a-b-01" } }, ask);
	assert.deepEqual(told, [undefined, "00-a-b-01"]);
});

test("a collector that takes nothing costs a line and nothing else", async (t) => {
	const { app } = await traced(t, {}, 403);
	assert.equal((await app.inject({ url: "/livez" })).statusCode, 200);
	await app.close();
	const lines = app.logLines.filter((line) => line.includes("Traces could not be sent"));
	assert.equal(lines.length, 1);
});
