import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, test } from "node:test";
import { pino } from "pino";
import { Type } from "typebox";
import { ServiceError } from "../errors/service-error.ts";
import { systemClock } from "../lib/clock.ts";
import { createHttpApp, type HttpAppOptions } from "./create-http-app.ts";
import { success } from "./envelope.ts";
import { Nullable, OneOf, paging, Success } from "./schemas.ts";

const lines: string[] = [];
let now = Date.UTC(2026, 10, 21, 12);
const Body = Type.Object({
	name: Type.String({ minLength: 1, maxLength: 10 }),
	count: Type.Optional(Type.Integer()),
	items: Type.Optional(Type.Array(Type.Object({ label: Type.String() }), { maxItems: 3 })),
});
const Query = Type.Object({
	...paging({ pageSize: 50, max: 1000 }),
	flag: Type.Optional(Type.Boolean()),
	ratio: Type.Optional(Type.Number()),
	either: Type.Optional(Nullable(Type.Integer())),
	sizes: Type.Optional(Type.Array(Type.Integer())),
	country: Type.Optional(Type.Array(Type.String())),
	order: Type.Optional(OneOf(["asc", "desc"])),
	day: Type.Optional(Type.String({ format: "date" })),
});

const appOf = (more: Partial<HttpAppOptions> = {}) =>
	createHttpApp({
		log: pino({ level: "debug", base: null }, { write: (line) => void lines.push(line) }),
		clock: { ...systemClock, now: () => now },
		trustProxy: false,
		describeGuard: () => ({ security: [], errors: [] }),
		checkResponses: true,
		...more,
	});

const app = await appOf();
const config = { guard: { kind: "public" } } as object;
const common = { tags: ["Test"], summary: "A test route", response: { 200: Success(Type.Unknown()) } };
app.post("/things", { schema: { ...common, body: Body }, config }, async ({ body }) => success(body));
app.post("/bare", { schema: common, config }, async () => success("done"));
const querystring = Query;
app.get("/things", { schema: { ...common, querystring }, config }, async ({ query }) => success(query, { note: 1 }));
const things = { ...common, params: Type.Object({ id: Type.Integer() }) };
app.get("/things/:id", { schema: things, config }, async ({ params }) => success(params.id));
const fails = { ...common, params: Type.Object({ how: Type.String() }) };
app.get("/fails/:how", { schema: fails, config }, async ({ params: { how } }) => {
	if (how === "taken") throw new ServiceError("conflict");
	if (how === "down") throw new ServiceError("database_unavailable");
	throw new Error("secret@example.com is in this text", { cause: new Error("10.1.2.3") });
});
const port = Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);
after(() => app.close());

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: "GET", url, headers });
const post = (payload: string | Buffer, type = "application/json") =>
	app.inject({ method: "POST", url: "/things", payload, headers: { "content-type": type } });

/** The answer to a hand-written request. */
async function ask(lines: readonly string[]): Promise<{ head: string; error: { code: string; message: string } }> {
	const socket = connect(port, "127.0.0.1").setEncoding("utf8");
	socket.write([...lines, "", ""].join("\r\n"));
	const parts: string[] = [];
	socket.on("data", (part: string) => parts.push(part));
	await once(socket, "close");
	const [head = "", body = ""] = parts.join("").split("\r\n\r\n");
	return { head, error: JSON.parse(body).error };
}

test("every answer has a new request id, none that a client sends, the same as in the error envelope", async () => {
	const headers = { "x-request-id": "mine", "request-id": "mine" };
	const [first, second] = [await get("/nowhere", headers), await get("/nowhere", headers)];
	const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
	assert.match(String(first.headers["x-request-id"]), uuid);
	assert.notEqual(first.headers["x-request-id"], second.headers["x-request-id"]);
	const error = { code: "not_found", message: "Not found" };
	assert.deepEqual(first.json(), { error, request_id: first.headers["x-request-id"] });
});

test("query texts become the types of the schema; lists, brackets and defaults work", async () => {
	const response = await get("/things?page=2&flag=1&country%5B%5D=%20ES%20&country=FR&unknown=x&day=2026-02-28");
	const expected = { page: 2, page_size: 50, flag: true, country: ["ES", "FR"], day: "2026-02-28" };
	assert.deepEqual([response.json().data, response.json().timestamp], [expected, "2026-11-21T12:00:00.000Z"]);
	const others = (await get("/things?country=7&flag=0&ratio=-1.5&either=3&sizes=7")).json().data;
	const values = { page: 1, page_size: 50, country: ["7"], flag: false, ratio: -1.5, either: 3, sizes: [7] };
	assert.deepEqual(others, values);
});

test("a query value of the wrong type, length, range or format answers 422 with its dotted path", async () => {
	const cases = [
		["page=5x", "query.page", "integer_type"],
		["page=", "query.page", "integer_type"],
		["page=1&page=2", "query.page", "integer_type"],
		["page=0", "query.page", "minimum"],
		["sizes=1&sizes=x", "query.sizes.1", "integer_type"],
		["page_size=1001", "query.page_size", "maximum"],
		["flag=yes", "query.flag", "boolean_type"],
		["flag=TRUE", "query.flag", "boolean_type"],
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
	assert.equal((await get("/things/abc")).json().error.detail[0].field, "path.id");
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
	const changing = "The body is not valid JSON, or something in it is named __proto__ or constructor.prototype";
	const notUtf8 = Buffer.from([...Buffer.from('{"'), 0xff, ...Buffer.from('":1}')]);
	for (const [payload, type, message] of [
		['{"name":', "application/json", "The body is not valid JSON"],
		['{"a":{"__proto__":{"b":1}}}', "application/json", changing],
		['{"constructor":{"prototype":{"b":1}}}', "application/json", changing],
		["", "application/json", "The body is missing: send a JSON object"],
		[notUtf8, "application/json", "The body is not valid UTF-8"],
		[`${"[".repeat(200_000)}${"]".repeat(200_000)}`, "application/json", undefined],
		["a=1", "application/x-www-form-urlencoded", undefined],
		["hello", "text/plain", undefined],
		["<a/>", "application/xml", undefined],
	] as const) {
		const { error } = (await post(payload, type)).json();
		const expected = ["bad_request", message ?? error.message];
		assert.deepEqual([error.code, error.message], expected, `${type} ${error.message}`);
	}
	const without = await app.inject({ method: "POST", url: "/things" });
	assert.deepEqual([without.statusCode, without.json().error.code], [400, "bad_request"]);
});

test("a route without a body takes none, whatever its type", async () => {
	for (const more of [{ headers: { "content-type": "application/json" }, payload: "" }, {}]) {
		assert.equal((await app.inject({ method: "POST", url: "/bare", ...more })).statusCode, 200);
	}
});

test("a body over 1 MB answers 413; a long faulty list answers quickly and briefly", async () => {
	const large = await post(JSON.stringify({ name: "a".repeat(1024 * 1024) }));
	assert.deepEqual([large.statusCode, large.json().error.code], [413, "payload_too_large"]);
	const faulty = await post(JSON.stringify({ name: "a", items: Array.from({ length: 200_000 }, () => 1) }));
	assert.equal(faulty.statusCode, 422);
	assert.ok(faulty.body.length < 5000);
});

test("a malformed address and one with too long a part answer 400 in the envelope", async () => {
	for (const [url, message] of [
		["/things/%zz", /./],
		[`/things/${"x".repeat(1025)}`, /^A part of the path is too long$/],
	] as const) {
		const response = await get(url);
		assert.deepEqual([response.statusCode, response.json().error.code], [400, "bad_request"]);
		assert.match(response.json().error.message, message);
		assert.equal(response.json().request_id, response.headers["x-request-id"]);
	}
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
	const message = "GET /fails/:how does not declare that it answers 409";
	assert.deepEqual([response.statusCode, response.json().error.message], [500, message]);
});

test("requests that fail because a store is away make one line a second, with the number of those in between", async () => {
	now += 60_000;
	lines.length = 0;
	for (let request = 0; request < 50; request++) assert.equal((await get("/fails/down")).statusCode, 503);
	now += 1000;
	await get("/fails/down");
	const failures = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "Request failed");
	const told = failures.map(({ code, more }) => `${code} ${more}`);
	assert.deepEqual(told, ["database_unavailable undefined", "database_unavailable 49"]);
});

test("too long an address and bytes that are no HTTP request answer 400 in the envelope", async () => {
	const long = `GET /things?filters=${"x".repeat(20_000)} HTTP/1.1`;
	for (const [line, message] of [
		[long, /^The address and the headers together are longer than 16384/],
		["\u0016\u0003\u0001 hello", /./],
	] as const) {
		const { head, error } = await ask([line, "Host: localhost"]);
		assert.match(head, /^HTTP\/1\.1 400 Bad Request\r\n/);
		assert.equal(error.code, "bad_request");
		assert.match(error.message, message);
	}
});

test("a request that names no host or two is refused with the headers of every answer", async () => {
	for (const hosts of [[], ["Host: a.example", "host: b.example"], ["Host: a.example", "Host: a.example"]]) {
		const { head, error } = await ask(["POST /bare HTTP/1.1", ...hosts, "Content-Length: 0"]);
		assert.match(head, /^HTTP\/1\.1 400 Bad Request\r\n/);
		for (const name of ["x-request-id", "content-security-policy", "x-content-type-options"]) {
			assert.match(head, new RegExp(`\r\n${name}: `, "i"), name);
		}
		assert.deepEqual(error, { code: "bad_request", message: "A request names its host once, in the header Host" });
	}
});

test("an expectation that nobody knows is passed over", async () => {
	const { head } = await ask(["GET /nowhere HTTP/1.1", "Host: a", "Expect: miracles", "Connection: close"]);
	assert.match(head, /^HTTP\/1\.1 404 Not Found\r\n/);
});

test("an intercepted path never reaches the routes; busy keep-alive clients do not hold up the end", async () => {
	const bare = await appOf({
		intercept: (request, response) => {
			if (request.url !== "/taken") return false;
			response.writeHead(204).end();
			return true;
		},
	});
	const root = await bare.listen({ host: "127.0.0.1", port: 0 });
	assert.equal((await fetch(`${root}/other`)).status, 404);
	assert.equal((await fetch(`${root}/taken`)).status, 204);
	const socket = connect(Number(new URL(root).port), "127.0.0.1");
	const askAgain = () => socket.write("GET /taken HTTP/1.1\r\nHost: x\r\n\r\n");
	// A client that always has a request under way: the next goes out before the answer to the last is read.
	socket.on("data", askAgain).on("error", () => undefined);
	askAgain();
	askAgain();
	await once(socket, "data");
	await bare.close();
	assert.equal(bare.server.listening, false);
});

test("a route without guard, tag, summary or response schema stops the start", async () => {
	const bare = await appOf();
	const found = () => bare.route({ method: "GET", url: "/bare", handler: async () => "" });
	assert.throws(found, /Route GET \/bare lacks config\.guard, schema\.tags, schema\.summary, schema\.response/);
	await bare.close();
});
