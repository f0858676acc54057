import { setTimeout as pause } from "node:timers/promises";
import { checkOutcome } from "../check.ts";
import type { Drill } from "../drill.ts";
import { hasRedis, type OwnServer, ownPostgres, ownRedis, postgresPrograms } from "../servers.ts";
import { until } from "../until.ts";

const AWAY_MS = { short: 1_500, long: 60_000 };

/** The servers of a drill, by its surroundings: one drill plays at a time on each. */
const running = new Map<string, OwnServer>();

function restarted(name: string, setting: string, open: () => Promise<OwnServer>): Omit<Drill, "lacks"> {
	return {
		name,
		does: `${setting}'s server is killed under load, the service too while it is away, and both come back`,
		async surroundings() {
			const server = await open();
			running.set(name, server);
			return { env: { [setting]: server.url }, close: () => server.remove() };
		},
		async play(stage) {
			const server = running.get(name);
			if (server === undefined) throw new Error("the server does not run");
			const away = stage.isShort ? AWAY_MS.short : AWAY_MS.long;
			let service = await stage.start();
			await stage.takeHits(service);
			await server.kill();
			await stage.takeHits(service);
			await pause(away);
			await stage.takeHits(service);
			await server.start();
			await stage.takeHits(service);
			await server.kill();
			await service.kill();
			service = await stage.start();
			await stage.takeHits(service);
			await server.start();
			await stage.takeHits(service);
			await until(async () => (await service.get("/readyz")).status === 200);
			return checkOutcome(stage, { collector: service });
		},
	};
}

export const serverDrills: readonly Drill[] = [
	{
		...restarted("postgres", "DATABASE_URL", ownPostgres),
		lacks: () => (postgresPrograms() === undefined ? "PostgreSQL's programs are not installed" : undefined),
	},
	{
		...restarted("redis", "REDIS_URL", ownRedis),
		lacks: () => (hasRedis() ? undefined : "redis-server is not installed"),
	},
];
