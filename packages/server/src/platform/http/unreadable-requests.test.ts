import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { pino } from "pino";
import { Type } from "typebox";
import type { App } from "./app.ts";
import { createHttpApp } from "./create-http-app.ts";
import { success } from "./envelope.ts";
import { Success } from "./schemas.ts";

let app: App;

before(async () => {
	app = await createHttpApp({
		log: pino({ level: "silent" }),
		clock: { now: () => 0 },
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
	await app.ready();
});
after(() => app.close());

async function post(payload: string, name = "a") {
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

test("too long an address is refused in the envelope, and the limit is told", async () => {
	const { port } = new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
	const socket = connect(Number(port), "127.0.0.1").setEncoding("utf8");
	socket.write(`GET /things?filters=${"x".repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
	const [answer] = await once(socket, "data");
	assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/);
	assert.deepEqual(JSON.parse(answer.split("\r\n\r\n")[1]).error, {
		code: "bad_request",
		message: "The address and the headers together are longer than 16384 bytes",
	});
});
