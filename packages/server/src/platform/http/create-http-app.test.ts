import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pino } from "pino";
import { Type } from "typebox";
import { ServiceError } from "../errors/service-error.ts";
import { systemClock } from "../lib/clock.ts";
import type { App } from "./app.ts";
import { createHttpApp } from "./create-http-app.ts";
import { success } from "./envelope.ts";
import { OneOf, paging, Success } from "./schemas.ts";

const lines: string[] = [];
let now = Date.UTC(2026, 10, 21, 12);
let app: App;
const guard = { guard: { kind: "public" } } as object;
const common = { tags: ["Test"], summary: "A test route" };
const Body = Type.Object({
	name: Type.String({ minLength: 1, maxLength: 10 }),
	count: Type.Optional(Type.Integer()),
	items: Type.Optional(Type.Array(Type.Object({ label: Type.String() }), { maxItems: 3 })),
});
const Query = Type.Object({
	...paging({ pageSize: 50, max: 1000 }),
	flag: Type.Optional(Type.Boolean()),
	country: Type.Optional(Type.Array(Type.String())),
	order: Type.Optional(OneOf(["asc", "desc"])),
	day: Type.Optional(Type.String({ format: "date" })),
});

before(async () => {
	app = await createHttpApp({
		log: pino({ level: "debug", base: null }, { write: (line) => void lines.push(line) }),
		clock: { ...systemClock, now: () => now },
		trustProxy: false,
		describeGuard: () => ({ security: [], errors: [] }),
		checkResponses: true,
	});
	const response = { 200: Success(Type.Unknown()) };
	app.route({
		method: "POST",
		url: "/things",
		schema: { ...common, body: Body, response },
		config: guard,
		handler: async (request) => success(request.body),
	});
	app.route({
		method: "GET",
		url: "/things",
		schema: { ...common, querystring: Query, response },
		config: guard,
		handler: async (request) => success(request.query, { note: 1 }),
	});
	app.route({
		method: "GET",
		url: "/things/:id",
		schema: { ...common, params: Type.Object({ id: Type.Integer() }), response },
		config: guard,
		handler: async (request) => success(request.params.id),
	});
	app.route({
		method: "GET",
		url: "/fails/:how",
		schema: { ...common, params: Type.Object({ how: Type.String() }), response },
		config: guard,
		handler: async (request) => {
			if (request.params.how === "busy") throw new ServiceError("rate_limit_exceeded", { retryAfter: 7 });
			if (request.params.how === "taken") throw new ServiceError("conflict");
			if (request.params.how === "down") throw new ServiceError("database_unavailable");
			throw new Error("secret@example.com is in this text", { cause: new Error("10.1.2.3") });
		},
	});
	await app.ready();
});
after(() => app.close());

const get = (url: string) => app.inject({ method: "GET", url });
const post = (payload: string, type = "application/json") =>
	app.inject({ method: "POST", url: "/things", payload, headers: { "content-type": type } });

test("a success is wrapped in the envelope with the clock's time", async () => {
	const response = await get("/things/5");
	assert.equal(response.statusCode, 200);
	assert.deepEqual(response.json(), { success: true, data: 5, meta: {}, timestamp: "2026-11-21T12:00:00.000Z" });
});

test("every answer has a new request id, the same as in the error envelope", async () => {
	const [first, second] = [await get("/nowhere"), await get("/nowhere")];
	const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
	assert.match(first.headers["x-request-id"] as string, uuid);
	assert.notEqual(first.headers["x-request-id"], second.headers["x-request-id"]);
	assert.deepEqual(first.json(), {
		error: { code: "not_found", message: "Not found" },
		request_id: first.headers["x-request-id"],
	});
});

test("a request id that the client sends is not taken over", async () => {
	const response = await app.inject({
		method: "GET",
		url: "/things/5",
		headers: { "x-request-id": "mine", "request-id": "mine" },
	});
	assert.notEqual(response.headers["x-request-id"], "mine");
});

test("a wrong method answers 405 and names the right ones", async () => {
	for (const [url, allow] of [
		["/things/5", "GET, HEAD"],
		["/things", "GET, HEAD, POST"],
	] as const) {
		const response = await app.inject({ method: "DELETE", url });
		assert.equal(response.statusCode, 405);
		assert.equal(response.json().error.code, "method_not_allowed");
		assert.equal(response.headers.allow, allow);
	}
});

test("query texts become the types of the schema; lists, brackets and defaults work", async () => {
	const response = await get("/things?page=2&flag=1&country%5B%5D=%20ES%20&country=FR&unknown=x&day=2026-02-28");
	assert.deepEqual(response.json().data, {
		page: 2,
		page_size: 50,
		flag: true,
		country: ["ES", "FR"],
		day: "2026-02-28",
	});
	assert.deepEqual((await get("/things?country=ES&flag=false")).json().data.country, ["ES"]);
});

test("a query value of the wrong type, length, range or format answers 422 with its dotted path", async () => {
	const cases = [
		["page=5x", "query.page", "integer_type"],
		["page=1.0", "query.page", "integer_type"],
		["page=0x10", "query.page", "integer_type"],
		["page=", "query.page", "integer_type"],
		["page=1&page=2", "query.page", "integer_type"],
		["page=0", "query.page", "minimum"],
		["page_size=1001", "query.page_size", "maximum"],
		["flag=yes", "query.flag", "boolean_type"],
		["flag=TRUE", "query.flag", "boolean_type"],
		["flag=False", "query.flag", "boolean_type"],
		["flag=constructor", "query.flag", "boolean_type"],
		["order=up", "query.order", "enum"],
		["day=2026-02-30", "query.day", "format"],
	] as const;
	for (const [query, field, type] of cases) {
		const response = await get(`/things?${query}`);
		assert.equal(response.statusCode, 422, query);
		const { error } = response.json();
		assert.equal(error.code, "validation_error");
		assert.deepEqual([error.detail.length, error.detail[0].field, error.detail[0].type], [1, field, type]);
	}
});

test("a path value of the wrong type answers 422", async () => {
	const response = await get("/things/abc");
	assert.equal(response.statusCode, 422);
	assert.equal(response.json().error.detail[0].field, "path.id");
});

test("body texts are trimmed, unknown fields ignored, types never coerced", async () => {
	assert.equal((await post('{"name":"  Ann  ","other":1}')).json().data.name, "Ann");
	const response = await post('{"name":"  ","count":"5","items":[{"label":"a"},{}]}');
	assert.equal(response.statusCode, 422);
	assert.deepEqual(response.json().error.detail, [
		{ field: "body.name", message: "must NOT have fewer than 1 characters", type: "minLength" },
		{ field: "body.count", message: "must be integer", type: "integer_type" },
		{ field: "body.items.1.label", message: "is required", type: "missing" },
	]);
	assert.equal((await post('{"name":null}')).json().error.detail[0].field, "body.name");
});

test("a body that is not JSON, or says to be something else, answers 400", async () => {
	for (const [payload, type] of [
		["{", "application/json"],
		['{"__proto__":{"a":1}}', "application/json"],
		["a=1", "application/x-www-form-urlencoded"],
		["hello", "text/plain"],
		["<a/>", "application/xml"],
		[`${"[".repeat(200_000)}${"]".repeat(200_000)}`, "application/json"],
	] as const) {
		const response = await post(payload, type);
		assert.equal(response.statusCode, 400, `${type} ${payload.slice(0, 20)}`);
		assert.equal(response.json().error.code, "bad_request");
	}
});

test("a body over 1 MB answers 413; a long faulty list answers quickly and briefly", async () => {
	const large = await post(JSON.stringify({ name: "a".repeat(1024 * 1024) }));
	assert.deepEqual([large.statusCode, large.json().error.code], [413, "payload_too_large"]);
	const faulty = await post(JSON.stringify({ name: "a", items: Array.from({ length: 200_000 }, () => 1) }));
	assert.equal(faulty.statusCode, 422);
	assert.ok(faulty.body.length < 5000);
});

test("a malformed address answers 400 in the envelope", async () => {
	const response = await get("/things/%zz");
	assert.equal(response.statusCode, 400);
	assert.equal(response.json().error.code, "bad_request");
	assert.equal(response.json().request_id, response.headers["x-request-id"]);
});

test("429 and 503 carry Retry-After", async () => {
	const busy = await get("/fails/busy");
	assert.deepEqual([busy.statusCode, busy.headers["retry-after"]], [429, "7"]);
	const down = await get("/fails/down");
	assert.deepEqual([down.statusCode, down.headers["retry-after"]], [503, "30"]);
});

test("an unknown failure answers 500 without its text, and logs neither text nor address", async () => {
	lines.length = 0;
	const response = await app.inject({
		method: "GET",
		url: "/fails/other?email=visitor@example.com",
		headers: { "x-api-key": "svc_123", "user-agent": "Agent/1" },
		remoteAddress: "203.0.113.9",
	});
	assert.equal(response.statusCode, 500);
	assert.deepEqual(response.json().error, { code: "internal_error", message: "Internal error" });
	const log = lines.join("");
	assert.match(log, /"route":"\/fails\/:how"/);
	assert.match(log, /create-http-app\.test\.ts/);
	for (const secret of ["secret@", "visitor@", "10.1.2.3", "svc_123", "Agent/1", "203.0.113.9"]) {
		assert.ok(!log.includes(secret), secret);
	}
});

test("an answer with a status that its route does not declare fails in tests, so that the description stays whole", async () => {
	const response = await get("/fails/taken");
	assert.deepEqual(
		[response.statusCode, response.json().error.message],
		[500, "GET /fails/:how does not declare that it answers 409"],
	);
});

test("any origin may read answers, but not with cookies", async () => {
	const response = await app.inject({ method: "GET", url: "/things/5", headers: { origin: "https://a.example" } });
	assert.equal(response.headers["access-control-allow-origin"], "*");
	assert.equal(response.headers["access-control-allow-credentials"], undefined);
	assert.equal(
		response.headers["access-control-expose-headers"],
		"X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, WWW-Authenticate, X-Request-ID",
	);
	const preflight = await app.inject({
		method: "OPTIONS",
		url: "/things",
		headers: { origin: "https://a.example", "access-control-request-method": "POST" },
	});
	assert.equal(preflight.statusCode, 204);
	const plain = await app.inject({ method: "OPTIONS", url: "/things" });
	assert.deepEqual([plain.statusCode, plain.body], [204, ""]);
});

test("requests that fail because a store is away make one line a second, with the number of those in between", async () => {
	now += 60_000;
	lines.length = 0;
	for (let request = 0; request < 50; request++) assert.equal((await get("/fails/down")).statusCode, 503);
	now += 1000;
	await get("/fails/down");
	const failures = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "Request failed");
	assert.deepEqual(
		failures.map(({ code, more }) => [code, more]),
		[
			["database_unavailable", undefined],
			["database_unavailable", 49],
		],
	);
});
