import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, test } from "node:test";
import { loadConfig } from "../../src/platform/config/config.ts";
import { withSecretKey } from "../../src/platform/config/secret-key.ts";
import { runService } from "../support/service-process.ts";

const directory = mkdtempSync(join(tmpdir(), "footfall-process-"));
const lifecycle = { DATA_DIR: join(directory, "lifecycle") };
after(() => rmSync(directory, { recursive: true, force: true }));

/** A connection on which a request with a body has begun. */
async function beginRequest(port: number, head: string): Promise<Socket> {
	const socket = connect(port, "127.0.0.1");
	await once(socket, "connect");
	socket.setEncoding("utf8").write(`POST /api/v1/auth/token HTTP/1.1\r\nHost: x\r\n${head}`);
	await fetch(`http://127.0.0.1:${port}/livez`);
	return socket;
}

test("start prints address, data directory and first-run link; SIGTERM lets a running request finish and ends in order", async () => {
	const service = runService(["start"], lifecycle);
	const address = await service.listening;
	const { stdout } = service.output();
	assert.ok(stdout.includes(lifecycle.DATA_DIR));
	const link = new RegExp(`${address}/setup\\?token=[A-Za-z0-9_-]{43}\n`).exec(stdout)?.[0];
	assert.ok(link, stdout);
	assert.equal((await fetch(`${address}/readyz`)).status, 200);
	assert.equal((await fetch(link.trim())).status, 200);
	const { port } = new URL(address);
	const body = JSON.stringify({ email: "nobody@example.com", password: "a password of no one" });
	const head = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
	const socket = await beginRequest(Number(port), head + body.slice(0, 10));
	service.child.kill("SIGTERM");
	await refusesConnections(Number(port));
	socket.write(body.slice(10));
	assert.match(await text(socket), /^HTTP\/1\.1 401 /);
	assert.equal(await service.ended, 0, service.output().stderr);
	assert.doesNotMatch(service.output().stderr, /setup\?token|"level":[4-6]0/);
});

test("a second start works; another service on its data is refused with a clear line; SIGINT ends in order", async () => {
	const service = runService(["start"], lifecycle);
	const address = await service.listening;
	const other = runService(["start"], lifecycle);
	assert.equal(await other.ended, 1);
	assert.match(other.output().stderr, /^[^\n]*in use[^\n]*\n$/);
	assert.equal((await fetch(`${address}/readyz`)).status, 200);
	service.child.kill("SIGINT");
	assert.equal(await service.ended, 0, service.output().stderr);
	assert.doesNotMatch(service.output().stderr, /setup\?token|"level":[4-6]0/);
});

/** Resolves once nothing listens on the port any more. */
async function refusesConnections(port: number): Promise<void> {
	for (;;) {
		const probe = connect(port, "127.0.0.1");
		const isOpen = await new Promise((resolve) => {
			probe.once("connect", () => resolve(true));
			probe.once("error", () => resolve(false));
		});
		probe.destroy();
		if (!isOpen) return;
	}
}

test("a second signal ends the process at once", async () => {
	const service = runService(["start"], lifecycle);
	const { port } = new URL(await service.listening);
	const socket = await beginRequest(Number(port), "Content-Length: 10\r\n\r\n");
	service.child.kill("SIGTERM");
	// The same wish passed on twice, by a terminal and by npm, does not count.
	service.child.kill("SIGTERM");
	await refusesConnections(Number(port));
	assert.equal(service.child.exitCode, null);
	const again = setInterval(() => service.child.kill("SIGTERM"), 50);
	assert.equal(await service.ended, 1);
	clearInterval(again);
	socket.destroy();
});

test("an invalid setting stops the start with one line that names it", async () => {
	const service = runService(["start"], { DATA_DIR: join(directory, "invalid"), PORT: "high" });
	assert.equal(await service.ended, 1);
	assert.deepEqual(service.output(), { stdout: "", stderr: "PORT must be a whole number from 0 to 65535\n" });
});

test("a port in use stops the start with one line", async () => {
	const other = createServer().listen(0, "127.0.0.1");
	await once(other, "listening");
	const address = other.address();
	assert.ok(typeof address === "object" && address !== null);
	const port = String(address.port);
	const service = runService(["start"], { DATA_DIR: join(directory, "port"), PORT: port });
	assert.equal(await service.ended, 1);
	other.close();
	assert.deepEqual(service.output(), { stdout: "", stderr: `PORT ${port} is in use by another program\n` });
});

test("footfall config prints the effective settings with secrets masked", async () => {
	const service = runService(["config"], { SECRET_KEY: "s".repeat(40), PORT: "8080" });
	assert.equal(await service.ended, 0);
	assert.match(service.output().stdout, /^PORT=8080$/m);
	assert.match(service.output().stdout, /^SECRET_KEY=\*{8}$/m);
});

test("footfall migrate brings the stores of a directory up to date, repeatedly", async () => {
	const env = { DATA_DIR: join(directory, "migrate") };
	withSecretKey(loadConfig(env));
	for (let i = 0; i < 2; i++) {
		const service = runService(["migrate"], env);
		assert.equal(await service.ended, 0, service.output().stderr);
		assert.equal(service.output().stdout, "The stores are up to date.\n");
	}
});

test("an unknown command fails and points to the help", async () => {
	const service = runService(["dance"], {});
	assert.equal(await service.ended, 1);
	assert.match(service.output().stderr, /unknown command 'dance'/);
});
