import { execFileSync } from "node:child_process";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { checkOutcome } from "../check.ts";
import type { Drill } from "../drill.ts";
import { readSums, readViews } from "../reports.ts";
import { startProcess } from "../service.ts";
import { type Stage, VISITORS } from "../stage.ts";
import { until } from "../until.ts";

const IDLE = 10_000;
/** Open files that the runner and the service need besides. */
const OTHER_FILES = 1_000;
const SLOW = 200;
const BYTES_AT_ONCE = 40;

const fileLimit = () => Number(execFileSync("sh", ["-c", "ulimit -n"]).toString().replace("unlimited", "1000000"));

/** Opens connections, some at a time, so that none is refused for a full queue. */
async function openSockets(stage: Stage, port: number, count: number): Promise<Socket[]> {
	const sockets: Socket[] = [];
	stage.atEnd(() => {
		for (const socket of sockets) socket.destroy();
	});
	while (sockets.length < count) {
		const some = Array.from({ length: Math.min(100, count - sockets.length) }, async () => {
			const socket = connect(port, "127.0.0.1").on("error", () => undefined);
			sockets.push(socket);
			await until(() => !socket.connecting);
		});
		await Promise.all(some);
	}
	return sockets;
}

const idle: Drill = {
	name: "idle-connections",
	does: "10,000 connections that say nothing, beside the load",
	async play(stage) {
		const service = await stage.start();
		await stage.takeHits(service);
		const sockets = await openSockets(stage, service.port, Math.min(IDLE, fileLimit() - OTHER_FILES));
		await stage.takeHits(service, 150);
		const open = sockets.filter(({ readyState }) => readyState === "open").length;
		if ((await service.get("/readyz")).status !== 200) throw new Error("the service is not ready beside them");
		for (const socket of sockets) socket.destroy();
		const outcome = await checkOutcome(stage, { collector: service });
		return { ...outcome, note: `${open} of ${sockets.length} connections were open at the end` };
	},
};

const slow: Drill = {
	name: "slow-bodies",
	does: "200 senders whose bodies come in drips, half of which never end, beside the load",
	async play(stage) {
		const service = await stage.start();
		// A campaign begins a visit, and only the first hits carry one: a slow hit that a later one overtakes must not be among them.
		await stage.takeHits(service, VISITORS);
		const sockets = await openSockets(stage, service.port, SLOW);
		const dripping = sockets.map((socket, index) => drip(stage, socket, index % 2 === 0));
		await stage.takeHits(service, 150);
		const ended = (await Promise.all(dripping)).filter((status) => status === 204).length;
		if (ended !== SLOW / 2) throw new Error(`${ended} of ${SLOW / 2} slow hits were taken`);
		for (const socket of sockets) socket.destroy();
		const outcome = await checkOutcome(stage, { collector: service });
		return { ...outcome, note: `${ended} slow hits among them` };
	},
};

/** Sends a hit in pieces; the status of the answer, or undefined when it is left unfinished. */
async function drip(stage: Stage, socket: Socket, isEnded: boolean): Promise<number | undefined> {
	const lent = stage.load.lend();
	const { request } = lent;
	const end = isEnded ? request.length : request.length - 1;
	const { promise, resolve } = Promise.withResolvers<number | undefined>();
	socket.once("data", (chunk) => resolve(Number(chunk.toString("latin1", 9, 12))));
	socket.once("close", () => resolve(undefined));
	for (let at = 0; at < end; at += BYTES_AT_ONCE) {
		socket.write(request.subarray(at, Math.min(at + BYTES_AT_ONCE, end)));
		await pause(50);
	}
	if (!isEnded) return undefined;
	const status = await promise;
	if (status !== undefined) lent.answered(status);
	return status;
}

const memory: Drill = {
	name: "memory",
	does: "a heap of 96 MB and 256 MB for the event store, with reports asked all the time",
	async play(stage) {
		const env = { NODE_OPTIONS: "--max-old-space-size=96", EVENT_STORE_MEMORY: "256MB" };
		const service = await stage.start(env);
		await stage.takeHits(service);
		let [isOver, reports] = [false, 0];
		const readers = Array.from({ length: 4 }, async () => {
			while (!isOver) {
				const ask = Promise.all([readSums(service.url, stage.site), readViews(service.url, stage.site)]);
				await ask.then(
					() => reports++,
					() => pause(50),
				);
			}
		});
		await stage.takeHits(service, stage.isShort ? 400 : 20_000);
		isOver = true;
		await Promise.all(readers);
		if (service.child.exitCode !== null) throw new Error("the service ended for want of memory");
		const outcome = await checkOutcome(stage, { collector: service });
		return { ...outcome, note: `${reports} reports meanwhile` };
	},
};

const twoServers: Drill = {
	name: "two-servers",
	does: "a second service is started on the directory: it is refused, and the first goes on",
	async play(stage) {
		const service = await stage.start();
		await stage.takeHits(service);
		const says = await startProcess({ DATA_DIR: stage.dataDir }).then(
			() => "",
			(error: Error) => error.message,
		);
		if (!says.includes("is in use by")) throw new Error(`the second service says: ${says || "nothing; it runs"}`);
		await stage.takeHits(service);
		return checkOutcome(stage, { collector: service });
	},
};

export const crowdDrills: readonly Drill[] = [twoServers, memory, idle, slow];
