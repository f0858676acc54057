// Cost of the access checks for a request, and of many concurrent sign-ins for themselves and for reports. `npm run
// bench:access -- [rows]`; with TEST_DATABASE_URL accounts are in that PostgreSQL.

import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describeMachine } from "../support/machine.ts";
import { quantile } from "../support/quantile.ts";
import { benchEnv, type RunningService, runFootfall, startService } from "../support/service.ts";
import { type BenchSite, benchOwner, createBenchSite } from "../support/site.ts";

const ROWS = Number(process.argv[2] ?? 1_000_000);
const [WARM_UP, RUNS] = [300, 2000];
const [CLIENTS, CROWD_MS] = [10, 15_000];
const REPORT = "/stats/pages?period=30d";

const row = (label: string, value: string) => console.log(`${label.padEnd(56)} ${value}`);
const ms = (value: number) => `${value.toFixed(2)} ms`;
const figures = (times: readonly number[]) => `p50 ${ms(quantile(times, 0.5))}, p95 ${ms(quantile(times, 0.95))}`;

const agent = new Agent({ keepAlive: true });

interface Call {
	readonly path: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string;
}

/** Milliseconds until the whole answer is here; throws unless it is 200. */
function timed(service: RunningService, { path, headers, body }: Call): Promise<{ ms: number; text: string }> {
	return new Promise((resolve, reject) => {
		const began = performance.now();
		const method = body === undefined ? "GET" : "POST";
		const sent = request(`${service.url}${path}`, { agent, method, headers: { ...headers } }, (response) => {
			let text = "";
			response.setEncoding("utf8");
			response.on("data", (chunk: string) => {
				text += chunk;
			});
			response.on("end", () => {
				if (response.statusCode === 200) resolve({ ms: performance.now() - began, text });
				else reject(new Error(`${path} answered ${response.statusCode}: ${text}`));
			});
		});
		sent.on("error", reject);
		sent.end(body);
	});
}

async function timesOf(service: RunningService, calls: readonly Call[]): Promise<number[][]> {
	const times = calls.map((): number[] => []);
	// One after the other in turns, so that a slow moment of the machine meets all of them.
	for (let run = 0; run < WARM_UP + RUNS; run++) {
		for (const [index, call] of calls.entries()) {
			const { ms: time } = await timed(service, call);
			if (run >= WARM_UP) times[index]?.push(time);
		}
	}
	return times.map((list) => list.sort((a, b) => a - b));
}

let visitors = 0;
/** A sign-in from an address of its own, so that the limits of one address do not answer. */
const signIn = (): Call => ({
	path: "/api/v1/auth/token",
	headers: { "content-type": "application/json", "x-forwarded-for": `10.0.${++visitors >> 8}.${visitors & 255}` },
	body: JSON.stringify(benchOwner),
});

async function until<T>(end: number, step: () => Promise<T>): Promise<T[]> {
	const results: T[] = [];
	while (performance.now() < end) results.push(await step());
	return results;
}

async function measureChecks(service: RunningService, site: BenchSite): Promise<void> {
	const { text } = await timed(service, signIn());
	const bearer: string = JSON.parse(text).data.access_token;
	const pixel = `/api/v1/sites/${site.id}/pixel`;
	const [open = [], session = [], key = []] = await timesOf(service, [
		{ path: "/livez" },
		{ path: pixel, headers: { authorization: `Bearer ${bearer}` } },
		{ path: pixel, headers: { "x-api-key": site.apiKey } },
	]);
	row("a route without a guard (/livez)", figures(open));
	for (const [name, times] of [
		["session", session],
		["API key", key],
	] as const) {
		const added = [0.5, 0.95].map((q) => ms(quantile(times, q) - quantile(open, q)));
		row(`a route of one site, ${name}`, `${figures(times)}: ${added.join(" and ")} more, its own work included`);
	}
}

async function measureCrowd(service: RunningService, site: BenchSite): Promise<void> {
	const report: Call = { path: `/api/v1${REPORT}&site_id=${site.id}`, headers: { "x-api-key": site.apiKey } };
	const ask = async () => {
		const { ms: time } = await timed(service, report);
		await pause(20);
		return time;
	};
	const sorted = (times: number[]) => times.sort((a, b) => a - b);
	await until(performance.now() + 2000, ask);
	const alone = sorted(await until(performance.now() + CROWD_MS / 2, ask));
	const end = performance.now() + CROWD_MS;
	const [reports, ...logins] = await Promise.all([
		until(end, ask),
		...Array.from({ length: CLIENTS }, () => until(end, async () => (await timed(service, signIn())).ms)),
	]);
	const signedIn = sorted(logins.flat());
	const beside = sorted(reports);
	row(`${CLIENTS} sign in at a time (${signedIn.length} in ${CROWD_MS / 1000} s)`, figures(signedIn));
	row("reports meanwhile", figures(beside));
	row("the same reports alone", figures(alone));
	row("p95 meanwhile, times that alone", (quantile(beside, 0.95) / quantile(alone, 0.95)).toFixed(2));
}

const dataDir = await mkdtemp(join(tmpdir(), "footfall-bench-access-"));
const { TEST_DATABASE_URL: databaseUrl } = process.env;
const env = { ...benchEnv(dataDir), ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) };
try {
	row("machine", describeMachine());
	row("accounts in", databaseUrl === undefined ? "SQLite" : "PostgreSQL");
	const site = await createBenchSite(env);
	row("data", (await runFootfall(env, ["seed", "--site", site.id, "--rows", String(ROWS), "--days", "365"])).trim());
	const service = await startService(env);
	try {
		await measureChecks(service, site);
	} finally {
		await service.stop();
	}
	const unlimited = await startService({ ...env, RATE_LIMIT_ENABLED: "false" });
	try {
		await measureCrowd(unlimited, site);
	} finally {
		await unlimited.stop();
	}
} finally {
	agent.destroy();
	await rm(dataDir, { recursive: true, force: true });
}
