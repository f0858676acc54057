import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { root } from "../../scripts/lib/root.ts";
import { childrenOf } from "./process-figures.ts";

const footfall = `${root}packages/server/bin/footfall.mjs`;

/** A running service: the main process and its event store. */
export interface RunningService {
	readonly url: string;
	readonly port: number;
	readonly pid: number;
	/** The event store's process at this moment; it changes when that is restarted. */
	storePid(): number;
	/** Milliseconds from the start of the process to its being ready. */
	readonly startMs: number;
	/** Ends it in order. */
	stop(): Promise<void>;
	/** `kill -9`; resolves when both processes are gone. */
	kill(): Promise<void>;
}

/** Settings of a measured service: loopback, and visitors' addresses taken from `X-Forwarded-For`. */
export function benchEnv(dataDir: string, port = 0): NodeJS.ProcessEnv {
	// Runs that use one PostgreSQL one after the other have one secret.
	const secret = "the secret of all services that a bench has started";
	const settings = { TRUST_PROXY: "true", LOG_LEVEL: "warn", SECRET_KEY: secret };
	return { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: String(port), ...settings };
}

/**
 * Options of Node from SERVICE_NODE_OPTIONS, to profile the service, with the one that it would otherwise start itself anew for: a profiler's
 * signal that comes while it does ends it.
 */
const options = process.env.SERVICE_NODE_OPTIONS?.split(" ") ?? [];
const profiled = options.length > 0 ? ["--max-semi-space-size=32", ...options] : [];

/** Starts the service as `npm start` does, or as another program's arguments, and waits until it listens. */
export async function startService(env: NodeJS.ProcessEnv, within: readonly string[] = []): Promise<RunningService> {
	const began = performance.now();
	const [program = "", ...args] = [...within, process.execPath, ...profiled, footfall, "start"];
	const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "inherit"] });
	const url = await listeningAddress(child);
	const startMs = performance.now() - began;
	const pid = child.pid ?? 0;
	const [firstStore = 0] = childrenOf(pid);
	let store = firstStore;
	const gone = once(child, "exit");
	return {
		url,
		port: Number(new URL(url).port),
		pid,
		startMs,
		storePid: () => {
			[store = store] = childrenOf(pid);
			return store;
		},
		async stop() {
			child.kill("SIGTERM");
			await gone;
		},
		async kill() {
			child.kill("SIGKILL");
			await gone;
			await processEnded(store);
		},
	};
}

function listeningAddress(child: ChildProcess): Promise<string> {
	return new Promise((resolve, reject) => {
		let text = "";
		child.stdout?.on("data", (chunk: Buffer) => {
			text += chunk;
			const url = /running at\s+(http:\S+)/.exec(text)?.[1];
			if (url !== undefined) resolve(url);
		});
		child.on("error", reject);
		child.on("exit", () => reject(new Error(`the service ended before it listened:\n${text}`)));
	});
}

/** Resolves when the process is no more; a store process ends by itself when its parent has died. */
export async function processEnded(pid: number, limitMs = 20_000): Promise<void> {
	const until = performance.now() + limitMs;
	while (isAlive(pid)) {
		if (performance.now() > until) throw new Error(`process ${pid} did not end within ${limitMs} ms`);
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

/** Runs a `footfall` command and gives what it printed; throws with its errors when it fails. */
export async function runFootfall(env: NodeJS.ProcessEnv, args: readonly string[], input = ""): Promise<string> {
	const child = spawn(process.execPath, [footfall, ...args], { env, stdio: ["pipe", "pipe", "pipe"] });
	child.stdin.end(input);
	let output = "";
	let errors = "";
	child.stdout.on("data", (chunk: Buffer) => {
		output += chunk;
	});
	child.stderr.on("data", (chunk: Buffer) => {
		errors += chunk;
	});
	const [code] = await once(child, "close");
	if (code !== 0) throw new Error(`footfall ${args.join(" ")} ended with ${code}:\n${errors}${output}`);
	return output;
}
