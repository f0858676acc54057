// Effect of one key that floods the service with the heaviest queries: times of another organization's overview,
// without and with each flood. `npm run bench:fairness -- [rows]`

import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describeMachine } from "../support/machine.ts";
import { quantile } from "../support/quantile.ts";
import { benchEnv, type RunningService, runFootfall, startService } from "../support/service.ts";
import { type BenchSite, benchOwner, createBenchSite, readReport } from "../support/site.ts";
import { type Flood, type FloodAnswers, type FloodOrder, floods } from "./flood.ts";

/** In the site of the key that floods; the other organization's has a tenth. */
const ROWS = Number(process.argv[2] ?? 2_000_000);
const BOUND_MS = 200;
const [SETTLE_MS, MEASURE_MS, PAUSE_MS] = [3000, 20_000, 50];

const program = fileURLToPath(new URL("flood.ts", import.meta.url));
const row = (label: string, value: string) => console.log(`${label.padEnd(40)} ${value}`);
const ms = (value: number) => value.toFixed(1).padStart(8);

/** A second organization with a site and a key. */
async function createOther(env: NodeJS.ProcessEnv): Promise<BenchSite> {
	const email = "other@footfall.example";
	const user = ["users", "create", "--email", email, "--name", "Other", "--password-stdin"];
	await runFootfall(env, user, benchOwner.password);
	const site = ["sites", "create", "--owner", email, "--name", "Other", "--domain", "other.example", "--json"];
	const { id } = JSON.parse(await runFootfall(env, site));
	const key = ["tokens", "create", "--user", email, "--name", "bench", "--scope", "stats:read", "--json"];
	return { id, apiKey: JSON.parse(await runFootfall(env, key)).token };
}

/** Sorted milliseconds of overviews asked one after the other. */
async function overviews(service: RunningService, site: BenchSite): Promise<number[]> {
	const times: number[] = [];
	const until = performance.now() + MEASURE_MS;
	// Each asks another range, so that no kept answer helps.
	for (let at = 0; performance.now() < until; at++) {
		const from = new Date(Date.now() - (30 + (at % 60)) * 86_400_000).toISOString().slice(0, 10);
		const to = new Date(Date.now() - (at % 29) * 86_400_000).toISOString().slice(0, 10);
		const began = performance.now();
		await readReport(service.url, site, `/stats/overview?start_date=${from}&end_date=${to}`);
		times.push(performance.now() - began);
		await pause(PAUSE_MS);
	}
	return times.sort((a, b) => a - b);
}

async function during(service: RunningService, flooder: BenchSite, flood: Flood, work: () => Promise<number[]>) {
	const child = fork(program);
	const gone = once(child, "exit");
	let answers: FloodAnswers = {};
	child.on("message", (told) => {
		answers = told as FloodAnswers;
	});
	child.send({ url: service.url, site: flooder.id, apiKey: flooder.apiKey, flood } satisfies FloodOrder);
	await pause(SETTLE_MS);
	const times = await work();
	child.kill("SIGKILL");
	await gone;
	return { times, answers };
}

const figures = (times: readonly number[]) =>
	`${ms(quantile(times, 0.5))} ${ms(quantile(times, 0.95))} ${ms(times.at(-1) ?? 0)}  ${String(times.length).padStart(5)}`;

const told = (answers: FloodAnswers) =>
	Object.entries(answers)
		.map(([status, count]) => `${count} × ${status === "0" ? "hung up" : status}`)
		.join(", ");

const dataDir = await mkdtemp(join(tmpdir(), "footfall-bench-fairness-"));
const env = { ...benchEnv(dataDir), RATE_LIMIT_ENABLED: "false" };
try {
	row("machine", describeMachine());
	const flooder = await createBenchSite(env);
	const other = await createOther(env);
	for (const [site, rows] of [
		[flooder, ROWS],
		[other, ROWS / 10],
	] as const) {
		const seed = ["seed", "--site", site.id, "--rows", String(Math.round(rows)), "--days", "365"];
		row("data", (await runFootfall(env, seed)).trim());
	}
	// The first start after a bulk load may still merge parts.
	await startService(env).then((service) => service.stop());
	const service = await startService(env);
	await pause(SETTLE_MS);
	row("overview of another organization", "     p50      p95      max  asked  answers to the flood");
	row("no flood", figures(await overviews(service, other)));
	for (const flood of floods) {
		const { times, answers } = await during(service, flooder, flood, () => overviews(service, other));
		const isKept = quantile(times, 0.95) <= BOUND_MS;
		row(`flood of ${flood}`, `${figures(times)}  ${told(answers)}${isKept ? "" : `, above ${BOUND_MS} ms`}`);
		if (!isKept) process.exitCode = 1;
		await pause(SETTLE_MS);
	}
	row("no flood any more", figures(await overviews(service, other)));
	await service.stop();
} finally {
	await rm(dataDir, { recursive: true, force: true });
}
