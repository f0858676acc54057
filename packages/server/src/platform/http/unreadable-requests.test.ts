import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { pino } from "pino";
import { Type } from "typebox";
import { systemClock } from "../lib/clock.ts";
import type { App } from "./app.ts";
import { createHttpApp } from "./create-http-app.ts";
import { success } from "./envelope.ts";
import { Success } from "./schemas.ts";

let app: App;
let port: number;

before(async () => {
	app = await createHttpApp({
		log: pino({ level: "silent" }),
		clock: { ...systemClock, now: () => 0 },
		trustProxy: false,
		describeGuard: () => ({ security: [], errors: [] }),
	});
	const common = { tags: ["Test"], summary: "A test route", response: { 200: Success(Type.Unknown()) } };
	app.route({
		method: "POST",
		url: "/things/:name",
		schema: { ...common, params: Type.Object({ name: Type.String() }), body: Type.Object({}) },
		config: { guard: { kind: "public" } } as object,
		handler: async (request) => success(request.body),
	});
	app.route({
		method: "POST",
		url: "/bare",
		schema: common,
		config: { guard: { kind: "public" } } as object,
		handler: async () => success("done"),
	});
	port = Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);
});
after(() => app.close());

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

async function post(payload: string | Buffer, name = "a") {
	const headers = { "content-type": "application/json" };
	const response = await app.inject({ method: "POST", url: `/things/${name}`, payload, headers });
	return [response.statusCode, response.json().error.code, response.json().error.message];
}

test("a body with a name that could change the program is refused, and the name is told", async () => {
	const told = "The body is not valid JSON, or something in it is named __proto__ or constructor.prototype";
	for (const payload of ['{"a":{"__proto__":{"b":1}}}', '{"constructor":{"prototype":{"b":1}}}']) {
		assert.deepEqual(await post(payload), [400, "bad_request", told]);
	}
	assert.deepEqual(await post('{"a":'), [400, "bad_request", "The body is not valid JSON"]);
});

test("a path with too long a part says so", async () => {
	assert.deepEqual(await post("{}", "x".repeat(1025)), [400, "bad_request", "A part of the path is too long"]);
});

test("a body that is not there, or is not UTF-8, is refused with 400; a route without a body takes none", async () => {
	assert.deepEqual(await post(""), [400, "bad_request", "The body is missing: send a JSON object"]);
	const bare = await app.inject({ method: "POST", url: "/things/a" });
	assert.deepEqual([bare.statusCode, bare.json().error.code], [400, "bad_request"]);
	const broken = Buffer.from([...Buffer.from('{"'), 0xff, ...Buffer.from('":1}')]);
	assert.deepEqual(await post(broken), [400, "bad_request", "The body is not valid UTF-8"]);
	const headers = { "content-type": "application/json" };
	assert.equal((await app.inject({ method: "POST", url: "/bare", headers, payload: "" })).statusCode, 200);
	assert.equal((await app.inject({ method: "POST", url: "/bare" })).statusCode, 200);
});

test("too long an address is refused in the envelope, and the limit is told", async () => {
	const { head, error } = await ask([`GET /things?filters=${"x".repeat(20_000)} HTTP/1.1`, "Host: localhost"]);
	assert.match(head, /^HTTP\/1\.1 400 Bad Request\r\n/);
	assert.deepEqual(error, {
		code: "bad_request",
		message: "The address and the headers together are longer than 16384 bytes",
	});
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
