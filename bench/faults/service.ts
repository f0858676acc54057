import { readFileSync } from "node:fs";
import { runService, type ServiceProcess } from "../../packages/server/test/support/service-process.ts";
import { childrenOf } from "../support/process-figures.ts";

/** One process of the service that runs. */
export interface Service extends ServiceProcess {
	readonly url: string;
	readonly port: number;
	readonly pid: number;
	/** The event store's process, if it is a child of this one. */
	storePid(): number | undefined;
	/** `kill -9`; resolves when it is gone. */
	kill(): Promise<void>;
	/** Ends it in order, and throws when that is no success. */
	stop(): Promise<void>;
	/** A path asked for. */
	get(path: string): Promise<{ readonly status: number; readonly text: string }>;
}

type Env = Readonly<Record<string, string>>;

/** Starts a process of the service and waits until it listens. */
export async function startProcess(env: Env): Promise<Service> {
	const process = runService(["start"], env);
	const url = await process.listening;
	const pid = process.child.pid ?? 0;
	const signal = async (name: NodeJS.Signals) => {
		process.child.kill(name);
		return process.ended;
	};
	return {
		...process,
		url,
		port: Number(new URL(url).port),
		pid,
		storePid: () => (process.child.exitCode === null ? childrenOf(pid).find(isStore) : undefined),
		kill: async () => void (await signal("SIGKILL")),
		stop: async () => {
			const code = await signal("SIGTERM");
			if (code !== 0) throw new Error(`the service ended with ${code}: ${process.output().stderr.slice(-2_000)}`);
		},
		get: async (path) => {
			const response = await fetch(url + path);
			return { status: response.status, text: await response.text() };
		},
	};
}

function isStore(pid: number): boolean {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("store-process");
	} catch {
		return false;
	}
}

/** Bytes that wait in the spool of a process, as its figures tell; undefined while it tells none. */
export async function waitingBytes(service: Service): Promise<number | undefined> {
	const { status, text } = await service.get("/metrics").catch(() => ({ status: 0, text: "" }));
	const bytes = /^footfall_spool_waiting_bytes (\S+)/m.exec(text)?.[1];
	return status === 200 && bytes !== undefined ? Number(bytes) : undefined;
}
