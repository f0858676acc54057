import { checkOutcome } from "../check.ts";
import type { Drill } from "../drill.ts";
import type { Service } from "../service.ts";
import type { Stage } from "../stage.ts";
import { until } from "../until.ts";

const ROUNDS = { short: 4, long: 200 };
const [SHORTEST_MS, LONGEST_MS] = [200, 1_500];

/** Kills the event store's process, which is started again by the service. */
async function killStore(service: Service): Promise<void> {
	await until(() => service.storePid() !== undefined);
	process.kill(service.storePid() ?? 0, "SIGKILL");
}

const rounds = ({ isShort }: Stage) => (isShort ? ROUNDS.short : ROUNDS.long);

/** The main process and the store in turn. */
const whole: Drill = {
	name: "kill",
	does: "kill -9 of the service and of its event store in turn, at random moments",
	async play(stage) {
		let service = await stage.start();
		await stage.takeHits(service);
		for (let round = 0; round < rounds(stage); round++) {
			await stage.someTime(SHORTEST_MS, LONGEST_MS);
			if (round % 2 === 0) {
				await service.kill();
				service = await stage.start();
			} else await killStore(service);
			await stage.takeHits(service);
		}
		return checkOutcome(stage, { collector: service });
	},
};

const ROLES = ["collect", "api", "jobs"] as const;
type Role = (typeof ROLES)[number];

/** Each of three processes, and whichever runs the store. */
const split: Drill = {
	name: "kill-split",
	does: "kill -9 of collector, API, jobs and event store in turn, each a process of one directory",
	async play(stage) {
		const start = (role: Role) => stage.start({ ROLES: role });
		const [collect, api, jobs] = await Promise.all([start("collect"), start("api"), start("jobs")]);
		const running: Record<Role, Service> = { collect, api, jobs };
		const all = () => ROLES.map((role) => running[role]);
		await stage.takeHits(running.collect);
		const victims = [...ROLES, "store"] as const;
		for (let round = 0; round < rounds(stage); round++) {
			await stage.someTime(SHORTEST_MS, LONGEST_MS);
			const victim = victims[round % victims.length] ?? "store";
			if (victim === "store") {
				await until(() => all().some((service) => service.storePid() !== undefined));
				const owner = all().find((service) => service.storePid() !== undefined);
				if (owner !== undefined) await killStore(owner);
			} else {
				await running[victim].kill();
				running[victim] = await start(victim);
			}
			await stage.takeHits(running.collect);
		}
		return checkOutcome(stage, { collector: running.collect, api: running.api, all: all() });
	},
};

export const killDrills: readonly Drill[] = [whole, split];
