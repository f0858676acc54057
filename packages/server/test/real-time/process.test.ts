// Real processes, as the promises are about signals, exit codes and output.
import assert from "node:assert/strict";
import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { createSite, signIn } from "../support/accounts.ts";
import { cli } from "../support/cli.ts";
import { program, runProgram } from "../support/command.ts";
import { sendHit } from "../support/hits.ts";
import { runService } from "../support/service-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testApp } from "../support/test-app.ts";

const directory = temporaryFolder();

test("start closes the directory to others and prints where it is; commands find it; a second service is refused; it ends in order", async () => {
	const dataDir = join(directory, "lifecycle");
	mkdirSync(join(dataDir, "spool"), { mode: 0o755, recursive: true });
	writeFileSync(join(dataDir, "metadata.sqlite"), "", { mode: 0o644 });
	const env = { DATA_DIR: dataDir, RUNTIME_DIRECTORY: directory, SECRET_KEY: "k".repeat(40) };
	for (const signal of ["SIGKILL", "SIGTERM", "SIGINT"] as const) {
		const service = runService(["start"], env);
		const address = await service.listening;
		const { stdout } = service.output();
		assert.ok(stdout.includes(dataDir));
		const link = new RegExp(`${address}/setup\\?token=[A-Za-z0-9_-]{43}\n`).exec(stdout)?.[0];
		assert.ok(link, stdout);
		assert.equal((await fetch(link.trim())).status, 200);
		if (signal === "SIGKILL") await isSafe(env);
		assert.equal((await fetch(`${address}/readyz`)).status, 200);
		service.child.kill(signal);
		assert.equal(await service.ended, signal === "SIGKILL" ? null : 0, service.output().stderr);
		assert.doesNotMatch(service.output().stderr, /setup\?token|"level":[4-6]0/);
	}
});

async function isSafe({ DATA_DIR, ...env }: Readonly<Record<"DATA_DIR" | "RUNTIME_DIRECTORY" | "SECRET_KEY", string>>) {
	const modes = readdirSync(DATA_DIR).map((name) => [name, statSync(join(DATA_DIR, name)).mode & 0o077]);
	assert.deepEqual(
		modes.filter(([, others]) => others !== 0),
		[],
	);
	assert.ok(modes.some(([name]) => name === "metadata.sqlite-wal"));
	assert.equal((await cli(["spool", "status"], { env })).code, 0, "commands work beside the service");
	const { error } = await cli(["users", "list"], { env: { RUNTIME_DIRECTORY: env.RUNTIME_DIRECTORY } });
	assert.match(error, /^The service runs with SECRET_KEY, which this command does not have/);
	// Also with an event store elsewhere and other roles.
	const second = runService(["start"], { ...env, DATA_DIR, CLICKHOUSE_URL: "http://127.0.0.1:9", ROLES: "api" });
	assert.equal(await second.ended, 1);
	assert.equal(
		second.output().stderr,
		`DATA_DIR ${DATA_DIR} is in use by a process of Footfall that has all roles: give each process a DATA_DIR of its own, or divide the ROLES between them\n`,
	);
}

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

/** Clients of a service that is shutting down. */
const clients = {
	"sends half a head": "GET /livez HTTP/1.1\r\nHost: x\r\n",
	"sends half a body": "POST /api/v1/auth/token HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{",
	"sends half a hit": "POST /event HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{",
	"sends nothing": "",
	"keeps its connection": "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n",
};

test("SIGTERM lets a running request finish and ends the service in order, whatever clients do", async () => {
	const service = runService(["start"], { DATA_DIR: join(directory, "clients") });
	const address = await service.listening;
	const port = Number(new URL(address).port);
	const body = JSON.stringify({ email: "nobody@example.com", password: "a password of no one" });
	const head = `POST /api/v1/auth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
	const sockets = await Promise.all(
		[head + body.slice(0, 10), ...Object.values(clients)].map(async (bytes) => {
			const socket = connect(port, "127.0.0.1").on("error", () => undefined);
			await once(socket, "connect");
			socket.write(bytes);
			return socket;
		}),
	);
	// A later request is answered, so that the bytes of the earlier connections have been read.
	assert.equal((await fetch(`${address}/livez`)).status, 200);
	service.child.kill("SIGTERM");
	await refusesConnections(port);
	const [running] = sockets;
	let answer = "";
	running?.setEncoding("utf8").on("data", (text: string) => {
		answer += text;
	});
	running?.write(body.slice(10));
	assert.equal(await service.ended, 0, service.output().stderr);
	for (const socket of sockets) socket.destroy();
	assert.match(answer, /^HTTP\/1\.1 401 /);
	assert.doesNotMatch(service.output().stderr, /"level":[45]0/);
});

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

test("a start that fails ends the process with a line that says why, also after the stores and the spool were opened", async () => {
	const other = createServer().listen(0, "127.0.0.1");
	await once(other, "listening");
	const port = String((other.address() as AddressInfo).port);
	const taken = join(directory, "collector-id");
	mkdirSync(join(taken, "collector-id"), { recursive: true });
	for (const [env, said] of [
		[{ PORT: "high" }, /^PORT must be a whole number from 0 to 65535\n$/],
		[{ PORT: port }, new RegExp(`^PORT ${port} is in use by another program\n$`)],
		[{ NODE_OPTIONS: withoutFile("/tracker.js") }, /The tracker is not built: run node packages\/tracker\/build\.mjs/],
		[{ DATA_DIR: taken }, /^EISDIR: .*\n$/],
	] as const) {
		const failing = runService(["start"], { DATA_DIR: join(directory, "failing"), ...env });
		assert.equal(await failing.ended, 1);
		const { stdout, stderr } = failing.output();
		assert.equal(stdout, "");
		assert.match(stderr, said);
	}
	other.close();
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

/** Lets a process find no file whose path ends so. */
const withoutFile = (ending: string): string => {
	const module = `
		import fs from "node:fs";
		import { syncBuiltinESMExports } from "node:module";
		const read = fs.readFileSync;
		fs.readFileSync = (path, ...more) => read(String(path).endsWith("${ending}") ? path + ".gone" : path, ...more);
		syncBuiltinESMExports();`;
	return `--import=data:text/javascript,${encodeURIComponent(module)}`;
};

test("a service ends with the process that started the Node it needs", async () => {
	const old = `
		Object.defineProperty(process, "versions", { value: { ...process.versions, node: "22.0.0" } });
		delete process.env.NODE_OPTIONS;`;
	const options = `--import=data:text/javascript,${encodeURIComponent(old)}`;
	const wrapper = runService(["start"], { DATA_DIR: join(directory, "wrapped"), NODE_OPTIONS: options });
	const address = await wrapper.listening;
	wrapper.child.kill("SIGKILL");
	// The pipes of its output close when the service itself has ended.
	await wrapper.ended;
	await assert.rejects(fetch(`${address}/livez`));
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
	const running = { address: async () => address, config: app.config, clock: { now: () => Date.now() } };
	assert.equal(await sendHit(running, { site, url: "https://shop.example/one" }), 204);
	service.child.kill("SIGUSR2");
	assert.equal(await service.ended, 1);
	const { stderr } = service.output();
	assert.match(stderr, /"level":60.*"name":"RangeError".*"msg":"The service stops: uncaught exception"/);
	assert.doesNotMatch(stderr, /ann@example\.com|did not stop/);
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

/** Loads the service in a process of its own, and prints which of its modules belong to tracing. */
const listsModules = `
	import { registerHooks } from "node:module";
	const urls = [];
	registerHooks({ resolve: (name, context, next) => {
		const found = next(name, context);
		urls.push(found.url);
		return found;
	} });
	const { openTracing } = await import(${JSON.stringify(new URL("../../src/composition/tracing.ts", import.meta.url))});
	await import(${JSON.stringify(new URL("../../src/composition/app.ts", import.meta.url))});
	await openTracing({ config: {} });
	const isTracing = (url) => /@opentelemetry\\/(sdk|exporter|otlp|resources|core)|tracing\\.ts$/.test(url);
	console.log([...new Set(urls)].filter(isTracing).map((url) => url.slice(url.lastIndexOf("/") + 1)).join());
`;

test("nothing of tracing is loaded where nobody wants it", async () => {
	const printed = await runProgram(process.execPath, ["--input-type=module", "-e", listsModules]);
	assert.deepEqual([printed.out, printed.code], ["tracing.ts\n", 0], printed.error);
});

/** Lowers its priority, and prints that of each of its threads. */
const lowersPriority = `
	import { readdirSync, readFileSync } from "node:fs";
	import { lowerPriority } from "${new URL("../../src/platform/lib/lower-priority.ts", import.meta.url)}";
	lowerPriority(7);
	const nice = (thread) => readFileSync("/proc/self/task/" + thread + "/stat", "latin1").split(") ")[1].split(" ")[16];
	console.log(JSON.stringify(readdirSync("/proc/self/task").map(nice)));
`;

test("a process lowers the priority of all of its threads", { skip: process.platform !== "linux" }, async () => {
	const { out } = await runProgram(process.execPath, ["--input-type=module", "-e", lowersPriority]);
	const levels: string[] = JSON.parse(out);
	assert.ok(levels.length > 4, out);
	assert.deepEqual([...new Set(levels)], ["7"]);
});
