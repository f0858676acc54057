import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../packages/server/test/support/free-port.ts";
import { until } from "./until.ts";

/** A server that a drill starts for itself, stops and starts again, with what it has stored. */
export interface OwnServer {
	readonly url: string;
	start(): Promise<void>;
	/** Ends it at once, as `kill -9` does. */
	kill(): Promise<void>;
	remove(): Promise<void>;
}

/** PostgreSQL's programs; undefined where there are none. */
export const postgresPrograms = (): string | undefined =>
	["/usr/lib/postgresql/*/bin", "/usr/local/bin", "/usr/local/pgsql/bin", "/usr/bin"]
		.flatMap((folder) => globSync(folder))
		.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));

/** True where `redis-server` is installed. */
export const hasRedis = (): boolean =>
	(process.env.PATH ?? "").split(":").some((folder) => existsSync(join(folder, "redis-server")));

/** A PostgreSQL with an empty database; it refuses to run as root, so then it is another user's. */
export async function ownPostgres(): Promise<OwnServer> {
	const programs = postgresPrograms() ?? "";
	const root = mkdtempSync(join(tmpdir(), "footfall-drill-postgres-"));
	const data = join(root, "data");
	mkdirSync(data);
	chmodSync(root, 0o755);
	const user = process.getuid?.() === 0 ? userOf(["postgres", "nobody"]) : {};
	if (user.uid !== undefined) execFileSync("chown", [`${user.uid}:${user.gid}`, data]);
	chmodSync(data, 0o700);
	const options = { ...user, cwd: data, stdio: "ignore" } as const;
	execFileSync(
		join(programs, "initdb"),
		["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale"],
		options,
	);
	const port = await freePort();
	const settings = ["listen_addresses=127.0.0.1", `port=${port}`, "unix_socket_directories="];
	const args = ["-D", data, ...settings.flatMap((setting) => ["-c", setting])];
	const server = await serverOf(() => spawn(join(programs, "postgres"), args, options), port, root);
	return { ...server, url: `postgres://postgres@127.0.0.1:${port}/postgres` };
}

/** A Redis that keeps nothing when it ends. */
export async function ownRedis(): Promise<OwnServer> {
	const root = mkdtempSync(join(tmpdir(), "footfall-drill-redis-"));
	const port = await freePort();
	const args = ["--bind", "127.0.0.1", "--port", `${port}`, "--save", "", "--appendonly", "no", "--dir", root];
	const server = await serverOf(() => spawn("redis-server", args, { stdio: "ignore" }), port, root);
	return { ...server, url: `redis://127.0.0.1:${port}` };
}

async function serverOf(run: () => ReturnType<typeof spawn>, port: number, root: string) {
	let child = run();
	const isGone = () => child.exitCode !== null || child.signalCode !== null;
	const listening = () =>
		until(async () => {
			// PostgreSQL refuses to start while a process that its killed predecessor has left is still there.
			if (isGone()) child = run();
			return isListening(port);
		});
	await listening();
	const kill = async () => {
		if (isGone()) return;
		const gone = once(child, "exit");
		child.kill("SIGKILL");
		await gone;
	};
	return {
		kill,
		async start() {
			child = run();
			await listening();
		},
		async remove() {
			await kill();
			rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
		},
	};
}

function userOf(names: readonly string[]): { uid?: number; gid?: number } {
	for (const name of names) {
		try {
			const id = (flag: string) => Number(execFileSync("id", [flag, name], { stdio: ["ignore", "pipe", "ignore"] }));
			return { uid: id("-u"), gid: id("-g") };
		} catch {
			// Not a user of this machine.
		}
	}
	return {};
}

function isListening(port: number): Promise<boolean> {
	const { promise, resolve } = Promise.withResolvers<boolean>();
	const socket = connect(port, "127.0.0.1");
	socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
	return promise.finally(() => socket.destroy());
}
