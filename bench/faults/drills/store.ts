import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { checkOutcome } from "../check.ts";
import type { Drill } from "../drill.ts";
import type { Service } from "../service.ts";
import type { Stage } from "../stage.ts";
import { until } from "../until.ts";

const KILL_EVERY_MS = 100;
const whileMs = ({ isShort }: Stage) => (isShort ? 5_000 : 600_000);

/** Signals a store process that may have gone meanwhile. */
function signal(pid: number | undefined, name: NodeJS.Signals): void {
	try {
		if (pid !== undefined) process.kill(pid, name);
	} catch {
		// It has ended.
	}
}

/** Reports fail meanwhile; hits have to be taken. */
async function takesHits(stage: Stage, service: Service, fault: () => Promise<void>): Promise<void> {
	const before = stage.load.acknowledged;
	await fault();
	if (stage.load.acknowledged === before) throw new Error("no hit was acknowledged while the event store was away");
	await stage.takeHits(service);
}

const frozen: Drill = {
	name: "store-stopped",
	does: "the event store is stopped (SIGSTOP) under load, and goes on or is replaced",
	async play(stage) {
		const service = await stage.start();
		await stage.takeHits(service);
		const stopped = new Set<number>();
		await takesHits(stage, service, async () => {
			const end = performance.now() + whileMs(stage);
			while (performance.now() < end) {
				const pid = service.storePid();
				if (pid !== undefined) stopped.add(pid);
				signal(pid, "SIGSTOP");
				await pause(KILL_EVERY_MS);
			}
		});
		for (const pid of stopped) signal(pid, "SIGCONT");
		const outcome = await checkOutcome(stage, { collector: service });
		return { ...outcome, note: `${stopped.size} store processes were stopped` };
	},
};

const down: Drill = {
	name: "store-down",
	does: "the event store is killed as soon as it is there, again and again, under load",
	async play(stage) {
		const service = await stage.start();
		await stage.takeHits(service);
		let kills = 0;
		await takesHits(stage, service, async () => {
			const end = performance.now() + whileMs(stage);
			while (performance.now() < end) {
				const pid = service.storePid();
				if (pid !== undefined) kills++;
				signal(pid, "SIGKILL");
				await until(() => service.storePid() !== pid || pid === undefined);
				await pause(KILL_EVERY_MS);
			}
		});
		const outcome = await checkOutcome(stage, { collector: service });
		return { ...outcome, note: `${kills} kills` };
	},
};

export const storeDrills: readonly Drill[] = [frozen, down];
