// `kill -9` of the main process and of the event store at random moments during ingest: no hit that was acknowledged may
// be lost, none may be counted twice. `npm run bench:crash -- [kills]`; kills alternate between the two processes.

import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describeMachine } from "../support/machine.ts";
import { childrenOf } from "../support/process-figures.ts";
import { benchEnv, processEnded, type RunningService, startService } from "../support/service.ts";
import { createBenchSite, readTrackerToken } from "../support/site.ts";
import { withStore } from "../support/table-sizes.ts";

const KILLS = Number(process.argv[2] ?? 40);
const [SHORTEST_MS, LONGEST_MS] = [500, 3_000];

const loadProgram = fileURLToPath(new URL("unique-load.ts", import.meta.url));

/** Number of stored rows by hit. */
function storedHits(dataDir: string, site: string): Promise<{ hit: number; times: number }[]> {
	return withStore(dataDir, (store) =>
		store.query({
			sql: "SELECT toUInt64(substring(path, 6)) AS hit, sum(page_view) AS times FROM events WHERE site = {site:String} AND path LIKE '/hit/%' GROUP BY hit",
			params: { site },
		}),
	);
}

async function killMain(service: RunningService, env: NodeJS.ProcessEnv): Promise<RunningService> {
	await service.kill();
	return startService(env);
}

async function killStore(service: RunningService): Promise<RunningService> {
	while (childrenOf(service.pid).length === 0) await pause(20);
	const pid = service.storePid();
	process.kill(pid, "SIGKILL");
	await processEnded(pid);
	return service;
}

const dataDir = await mkdtemp(join(tmpdir(), "footfall-bench-crash-"));
try {
	console.log(describeMachine());
	const env = { ...benchEnv(dataDir), LOG_LEVEL: "error" };
	const site = await createBenchSite(env);
	let service = await startService(env);
	const token = await readTrackerToken(service.url, site.id);
	const load = fork(loadProgram);
	const aim = () => load.send({ target: { host: "127.0.0.1", siteId: site.id, token }, port: service.port });
	aim();
	for (let kill = 0; kill < KILLS; kill++) {
		await pause(SHORTEST_MS + Math.random() * (LONGEST_MS - SHORTEST_MS));
		const isMain = kill % 2 === 0;
		service = isMain ? await killMain(service, env) : await killStore(service);
		aim();
		process.stdout.write(isMain ? "M" : "s");
	}
	await pause(LONGEST_MS);
	load.send("stop");
	const [{ acknowledged, sent }] = (await once(load, "message")) as [{ acknowledged: number[]; sent: number }];
	await pause(LONGEST_MS);
	await service.stop();
	// Rows left in the spool by the orderly end are loaded by the next start.
	const last = await startService(env);
	await pause(LONGEST_MS);
	await last.stop();

	const stored = await storedHits(dataDir, site.id);
	const known = new Set(stored.map(({ hit }) => hit));
	const lost = acknowledged.filter((hit) => !known.has(hit));
	const twice = stored.filter(({ times }) => times !== 1);
	console.log(
		`\n${KILLS} kills: ${sent} hits sent, ${acknowledged.length} acknowledged, ${stored.length} stored, ` +
			`${lost.length} lost, ${twice.length} counted more than once`,
	);
	process.exitCode = lost.length === 0 && twice.length === 0 && acknowledged.length > 0 ? 0 : 1;
} finally {
	await rm(dataDir, { recursive: true, force: true });
}
