// Real processes, as the promise is about signals, stopped children and exit codes.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { createSite, signIn } from "../support/accounts.ts";
import { sendHit } from "../support/hits.ts";
import { runService } from "../support/service-process.ts";
import { testApp } from "../support/test-app.ts";

const directory = mkdtempSync(join(tmpdir(), "footfall-orderly-end-"));
after(() => rmSync(directory, { recursive: true, force: true }));

/** Clients of a service that is shutting down. */
const clients = {
	"sends half a head": "GET /livez HTTP/1.1\r\nHost: x\r\n",
	"sends half a body": "POST /api/v1/auth/token HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{",
	"sends half a hit": "POST /event HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{",
	"sends nothing": "",
	"keeps its connection": "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n",
};

/** How the process has ended: with 1 when its own time limit ended it. */
function end(service: ReturnType<typeof runService>): Promise<number | null> {
	service.child.kill("SIGTERM");
	return service.ended;
}

test("SIGTERM ends the service in order whatever clients do", async () => {
	const env = { DATA_DIR: join(directory, "clients") };
	const service = runService(["start"], env);
	const address = await service.listening;
	const sockets = await Promise.all(
		Object.values(clients).map(async (bytes) => {
			const socket = connect(Number(new URL(address).port), "127.0.0.1").on("error", () => undefined);
			await once(socket, "connect");
			socket.write(bytes);
			return socket;
		}),
	);
	// A later request is answered, so that the bytes of the earlier connections have been read.
	assert.equal((await fetch(`${address}/livez`)).status, 200);
	const code = await end(service);
	for (const socket of sockets) socket.destroy();
	assert.equal(code, 0, service.output().stderr);
	assert.doesNotMatch(service.output().stderr, /"level":[45]0/);
});

test("a store process that is frozen does not hold the end up, and the next start has the directory", async () => {
	const env = { DATA_DIR: join(directory, "frozen") };
	const service = runService(["start"], env);
	await service.listening;
	const [child] = execFileSync("pgrep", ["-P", String(service.child.pid)], { encoding: "utf8" })
		.trim()
		.split("\n");
	process.kill(Number(child), "SIGSTOP");
	const code = await end(service);
	assert.equal(code, 0, service.output().stderr);
	assert.throws(() => process.kill(Number(child), 0), { code: "ESRCH" });
	const next = runService(["start"], env);
	await next.listening;
	assert.equal(await end(next), 0, next.output().stderr);
});

test("an uncaught exception is logged without its message, and the service ends in order with every answered hit", async () => {
	const dataDir = join(directory, "exception");
	const app = await testApp({ dataDir });
	const site = await createSite(app, await signIn(app));
	await app.close();
	const fault = join(directory, "fault.mjs");
	writeFileSync(fault, "process.once('SIGUSR2', () => { throw new RangeError('of ann@example.com'); });");
	const service = runService(["start"], { DATA_DIR: dataDir, NODE_OPTIONS: `--import ${fault}` });
	const address = await service.listening;
	const clock = { now: () => Date.now() };
	const running = { address: async () => address, config: app.config, clock };
	assert.equal(await sendHit(running, { site, url: "https://shop.example/one" }), 204);
	service.child.kill("SIGUSR2");
	assert.equal(await service.ended, 1);
	const { stderr } = service.output();
	assert.match(stderr, /"level":60.*"name":"RangeError".*"msg":"The service ends: an exception was not caught"/);
	assert.doesNotMatch(stderr, /ann@example\.com|did not end/);
	const next = await testApp({ dataDir, now: new Date().toISOString() });
	await next.collector?.flush();
	assert.deepEqual(await next.eventStore.query({ sql: "SELECT path FROM events WHERE kind = 'pageview'" }), [
		{ path: "/one" },
	]);
	await next.close();
});

test("a log that nothing reads holds up neither requests nor the end, and a reader that comes back misses no line", async () => {
	const asked = 2_000;
	for (const isReadAtTheEnd of [true, false]) {
		const service = runService(["start"], { DATA_DIR: join(directory, "unread"), LOG_LEVEL: "debug" });
		service.child.stderr?.pause();
		const address = await service.listening;
		for (let at = 0; at < asked; at++) await (await fetch(`${address}/livez`)).arrayBuffer();
		const hit = await fetch(`${address}/event`, { method: "POST", body: "{}" });
		assert.equal(hit.status, 204);
		if (isReadAtTheEnd) service.child.stderr?.resume();
		service.child.kill("SIGTERM");
		const [code] = await once(service.child, "exit");
		assert.equal(code, 0);
		service.child.stderr?.resume();
		await service.ended;
		const lines = service.output().stderr.split('"route":"/livez"').length - 1;
		if (isReadAtTheEnd) assert.equal(lines, asked);
		else assert.ok(lines < asked, `${lines} lines`);
	}
});
