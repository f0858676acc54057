// Breaks off requests and answers at random bytes, on every route that takes or gives a file, a stream or a page, and checks that nothing
// stays open: `npm run fuzz:aborts -- [--count N] [--seed N]`. Hits come meanwhile and must all be answered.

import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createRandom } from "../../packages/server/src/features/collecting/seed/random.ts";
import { breakConnection, bytesOf, filesOf } from "../../packages/server/test/support/break-off.ts";
import { buildRequests } from "../support/hits.ts";
import { openLoadConnection } from "../support/load-connection.ts";
import { describeMachine } from "../support/machine.ts";
import { childrenOf } from "../support/process-figures.ts";
import { benchEnv, type RunningService, runFootfall, startService } from "../support/service.ts";
import { createBenchSite, readTrackerToken } from "../support/site.ts";
import { COLLECTING, streamedRequests } from "../support/streamed-requests.ts";

const { values } = parseArgs({ options: { count: { type: "string" }, seed: { type: "string" } } });
const COUNT = Number(values.count ?? 10_000);
const SEED = Number(values.seed ?? Date.now() % 1_000_000);
const AT_ONCE = 8;
/** Some answers are shorter, and a live stream may say no more than its head for a while. */
const MOST_READ = 400;
const MOST_WAIT_MS = 60;
/** Between collections of garbage, in aborts. */
const COLLECT_EVERY = 100;
const HIT_EVERY_MS = 20;
const LIMIT_MS = 120_000;
/** Live streams that a user may have at once, and more than the places of an export. */
const PLACES = 5;
/** Uploads may be refused for what they hold or for their number, which is no matter here. */
const UNEXPECTED: ReadonlySet<number> = new Set([401, 403, 404, 405, 408, 429]);

const IN_PASSING = /\/(imports|exports)\/|\.part$|\.parquet$/;
/** States in /proc/net/tcp: established, and closed by the client alone. */
const CONNECTED: ReadonlySet<string> = new Set(["01", "08"]);

type Requests = Awaited<ReturnType<typeof streamedRequests>>;

/** How the client of each number behaves, which the seed alone decides. */
function nextAbort(random: ReturnType<typeof createRandom>, requests: Requests) {
	const names = Object.keys(requests);
	const name = names[random.below(names.length)] ?? "";
	const request = requests[name];
	const bytes = request === undefined ? Buffer.alloc(0) : bytesOf(request);
	const [isCut, isRead, waits] = [random.chance(0.4), random.chance(0.6), random.chance(0.5)];
	const [sent, read, ms] = [random.below(bytes.length + 1), 1 + random.below(MOST_READ), random.below(MOST_WAIT_MS)];
	const answer = isRead ? { read } : {};
	const wait = waits ? { wait: () => pause(ms) } : {};
	return { bytes, cut: { ...(isCut ? { sent } : answer), ...wait, isOrderly: random.chance(0.5) } };
}

/** Sends hits in turn until it is stopped; what was not answered 204. */
function takeHits(service: RunningService, hits: readonly Buffer[]) {
	const refused: (number | "broken")[] = [];
	let [sent, isOver] = [0, false];
	const ended = Promise.withResolvers<void>();
	const send = () => {
		if (isOver) return ended.resolve();
		const connection = openLoadConnection(service.port, {
			next: () => (isOver ? undefined : hits[sent++ % hits.length]),
			answered: (status) => {
				if (status !== 204) refused.push(status);
				connection.pause();
				setTimeout(() => connection.resume(), HIT_EVERY_MS);
			},
			broke: () => {
				refused.push("broken");
				setTimeout(send, HIT_EVERY_MS);
			},
			ended: ended.resolve,
		});
	};
	send();
	return {
		stop: async () => {
			isOver = true;
			await ended.promise;
			return { sent, refused };
		},
	};
}

/** Files for clients that either process has open, parts of files that are left, and connections that the service has not closed. */
async function remains(service: RunningService, dataDir: string): Promise<string[]> {
	const pids = [service.pid, ...childrenOf(service.pid)];
	const open = pids.flatMap((pid) => filesOf(pid, [dataDir])).filter((path) => IN_PASSING.test(path));
	const left = (await readdir(dataDir, { recursive: true })).filter((path) => /\.part$|\.parquet$/.test(path));
	const port = service.port.toString(16).toUpperCase().padStart(4, "0");
	const connections = (await readFile("/proc/net/tcp", "latin1")).split("\n").filter((line) => {
		const [, local = "", , state = ""] = line.trim().split(/\s+/);
		return local.endsWith(`:${port}`) && CONNECTED.has(state);
	});
	return [...open, ...left, ...connections];
}

async function within(name: string, isDone: () => Promise<boolean>): Promise<void> {
	const until = performance.now() + LIMIT_MS;
	while (!(await isDone())) {
		if (performance.now() > until) throw new Error(`${name} after ${LIMIT_MS / 1000} s`);
		await pause(100);
	}
}

/** Asks for each request as a whole, as often at once as a route has places. */
async function answerAll(url: string, requests: Requests): Promise<void> {
	for (const [name, { method, path, headers, body }] of Object.entries(requests)) {
		const ask = async () => {
			const hangUp = AbortSignal.timeout(LIMIT_MS);
			const request = { method, headers, redirect: "manual" as const, ...(body !== undefined && { body }) };
			const answer = await fetch(url + path, { ...request, signal: hangUp });
			if (name === "live stream") await answer.body?.cancel();
			else await answer.arrayBuffer();
			return answer.status;
		};
		const statuses = await Promise.all(Array.from({ length: PLACES }, ask));
		if (statuses.some((status) => status > 499 || UNEXPECTED.has(status)))
			throw new Error(`${name} is answered ${statuses.join(", ")}`);
	}
}

let stop: (() => Promise<void>) | undefined;
const dataDir = await mkdtemp(join(tmpdir(), "footfall-aborts-"));
try {
	console.log(`${describeMachine()}\n${COUNT} aborts, seed ${SEED}`);
	const env = { ...benchEnv(dataDir), RATE_LIMIT_ENABLED: "false", LOG_LEVEL: "fatal", NODE_OPTIONS: COLLECTING };
	const site = await createBenchSite(env);
	await runFootfall(env, ["seed", "--site", site.id, "--rows", "60000", "--days", "30"]);
	const service = await startService(env);
	stop = service.stop;
	const isAlive = () => {
		// Throws when the process is gone.
		process.kill(service.pid, 0);
	};
	const requests = await streamedRequests(service.url, site);
	const token = await readTrackerToken(service.url, site.id);
	const load = takeHits(service, buildRequests({ host: "127.0.0.1", siteId: site.id, token }, 1_000, 500, SEED));
	await answerAll(service.url, requests);
	const random = createRandom(SEED);
	let begun = 0;
	const client = async () => {
		while (begun < COUNT) {
			begun++;
			const { bytes, cut } = nextAbort(random, requests);
			await Promise.race([
				breakConnection(service.port, bytes, cut),
				pause(LIMIT_MS, undefined, { ref: false }).then(() => {
					throw new Error(`No answer to ${bytes.subarray(0, 60).toString("latin1").split("\r", 1)[0]}`);
				}),
			]);
			if (begun % COLLECT_EVERY === 0) {
				isAlive();
				process.kill(service.pid, "SIGUSR2");
			}
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, client));
	isAlive();
	await answerAll(service.url, requests);
	const { sent, refused } = await load.stop();
	process.kill(service.pid, "SIGUSR2");
	await within("Files are open", async () => (await remains(service, dataDir)).length === 0).catch(async (error) => {
		throw new Error(`${error.message}: ${(await remains(service, dataDir)).join(", ")}`);
	});
	isAlive();
	if (refused.length > 0) throw new Error(`${refused.length} of ${sent} hits were not taken: ${refused.slice(0, 9)}`);
	console.log(`ok: nothing is open, no part of a file is left, ${sent} hits were taken meanwhile`);
} finally {
	await stop?.();
	await rm(dataDir, { recursive: true, force: true });
}
