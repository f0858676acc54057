import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { pino } from "pino";
import { systemClock } from "../lib/clock.ts";
import { createHttpApp, type HttpAppOptions } from "./create-http-app.ts";

const bareApp = (intercept?: HttpAppOptions["intercept"]) =>
	createHttpApp({
		log: pino({ level: "silent" }),
		clock: { ...systemClock, now: () => 0 },
		trustProxy: false,
		describeGuard: () => ({ security: [], errors: [] }),
		...(intercept === undefined ? {} : { intercept }),
	});

test("bytes that are no HTTP request answer 400 in the envelope", async () => {
	const bare = await bareApp();
	const { port } = new URL(await bare.listen({ host: "127.0.0.1", port: 0 }));
	const socket = connect(Number(port), "127.0.0.1").setEncoding("utf8");
	socket.write("\u0016\u0003\u0001 hello\r\n\r\n");
	const [answer] = await once(socket, "data");
	assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/);
	assert.equal(JSON.parse(answer.split("\r\n\r\n")[1]).error.code, "bad_request");
	await bare.close();
});

test("an intercepted path never reaches the routes; busy keep-alive clients do not hold up the end", async () => {
	const bare = await bareApp((request, response) => {
		if (request.url !== "/taken") return false;
		response.writeHead(204).end();
		return true;
	});
	const root = await bare.listen({ host: "127.0.0.1", port: 0 });
	assert.equal((await fetch(`${root}/other`)).status, 404);
	assert.equal((await fetch(`${root}/taken`)).status, 204);
	const { port } = new URL(root);
	const socket = connect(Number(port), "127.0.0.1");
	const ask = () => socket.write("GET /taken HTTP/1.1\r\nHost: x\r\n\r\n");
	// A client that always has a request under way: the next goes out before the answer to the last is read.
	socket.on("data", ask).on("error", () => undefined);
	ask();
	ask();
	await once(socket, "data");
	await bare.close();
	assert.equal(bare.server.listening, false);
});

test("a route without guard, tag, summary or response schema stops the start", async () => {
	const bare = await bareApp();
	assert.throws(
		() => bare.route({ method: "GET", url: "/bare", handler: async () => "" }),
		/Route GET \/bare lacks config\.guard, schema\.tags, schema\.summary, schema\.response/,
	);
	await bare.close();
});
