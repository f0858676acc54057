// Real processes, as the promises are about signals, exit codes and output.
import assert from "node:assert/strict";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { cli } from "../support/cli.ts";
import { program, runProgram } from "../support/command.ts";
import { runService } from "../support/service-process.ts";

const directory = mkdtempSync(join(tmpdir(), "footfall-process-"));
after(() => rmSync(directory, { recursive: true, force: true }));

test("start prints address, data directory and first-run link, and commands find it; SIGTERM ends it in order", async () => {
	const env = { DATA_DIR: join(directory, "lifecycle"), RUNTIME_DIRECTORY: directory, SECRET_KEY: "k".repeat(40) };
	for (const signal of ["SIGTERM", "SIGINT"] as const) {
		const service = runService(["start"], env);
		const address = await service.listening;
		const { stdout } = service.output();
		assert.ok(stdout.includes(env.DATA_DIR));
		const link = new RegExp(`${address}/setup\\?token=[A-Za-z0-9_-]{43}\n`).exec(stdout)?.[0];
		assert.ok(link, stdout);
		assert.equal((await fetch(`${address}/readyz`)).status, 200);
		assert.equal((await fetch(link.trim())).status, 200);
		const { error } = await cli(["users", "list"], { env: { RUNTIME_DIRECTORY: directory } });
		assert.match(error, /^The service runs with SECRET_KEY, which this command was not given/);
		service.child.kill(signal);
		assert.equal(await service.ended, 0, service.output().stderr);
		assert.doesNotMatch(service.output().stderr, /setup\?token|"level":[4-6]0/);
	}
});

test("a signal lets a running request finish before the process ends", async () => {
	const service = runService(["start"], { DATA_DIR: join(directory, "drain") });
	const { port } = new URL(await service.listening);
	const socket = connect(Number(port), "127.0.0.1");
	await once(socket, "connect");
	const body = JSON.stringify({ email: "nobody@example.com", password: "a password of no one" });
	const head = `POST /api/v1/auth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
	socket.write(head + body.slice(0, 10));
	await fetch(`http://127.0.0.1:${port}/livez`);
	service.child.kill("SIGTERM");
	await refusesConnections(Number(port));
	let answer = "";
	socket.setEncoding("utf8").on("data", (text: string) => {
		answer += text;
	});
	socket.write(body.slice(10));
	await once(socket, "close");
	assert.match(answer, /^HTTP\/1\.1 401 /);
	assert.equal(await service.ended, 0);
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
	const service = runService(["start"], { DATA_DIR: join(directory, "twice") });
	const { port } = new URL(await service.listening);
	const socket = connect(Number(port), "127.0.0.1");
	await once(socket, "connect");
	socket.write("POST /api/v1/auth/token HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n");
	await fetch(`http://127.0.0.1:${port}/livez`);
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

test("./footfall works by a link, and says what to do where nothing is installed", async () => {
	const bare = join(directory, "bare");
	mkdirSync(bare);
	cpSync(program, join(bare, "footfall"));
	const refused = await runProgram(join(bare, "footfall"), ["users", "list"]);
	assert.deepEqual([refused.code, refused.out], [1, ""]);
	assert.equal(refused.error, `Footfall is not installed here yet: run \`npm start\` in ${bare} once\n`);
	const linked = await runProgram("sh", ["-c", `ln -s ${program} ./stats && ./stats --version`], { cwd: bare });
	assert.deepEqual([linked.code, linked.error], [0, ""]);
	assert.match(linked.out, /^\d+\.\d+\.\d+/);
});
