// Times of hits while the files are imported that take the most: without one and with each, in the same run.
// `npm run bench:imports:beside -- [seconds]`

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { describeMachine } from "../support/machine.ts";
import { openLoad } from "../support/open-load.ts";
import { childrenOf, residentMegabytes } from "../support/process-figures.ts";
import { benchEnv, startService } from "../support/service.ts";
import { createBenchSite, ownerHeaders, readTrackerToken } from "../support/site.ts";

const SECONDS = Number(process.argv[2] ?? 20);
/** Of p99 with an import to p99 without. */
const MOST = 2;
const [CONNECTIONS, REQUESTS, VISITORS] = [4, 20_000, 5_000];

const agent = "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0";
const lineOf = (n: number, path: string) =>
	`10.0.${(n >> 8) % 250}.${n % 250} - - [01/Oct/2026:10:00:00 +0000] "GET ${path} HTTP/1.1" 200 512 "-" "${agent}"\n`;
const files: Readonly<Record<string, readonly [source: string, bytes: () => Buffer]>> = {
	"a log of long paths, each line a row of 2 KB": [
		"access_log",
		() =>
			gzipSync(Array.from({ length: 300_000 }, (_, n) => lineOf(n, `/${n}/${"x".repeat(1000)}`)).join(""), {
				level: 1,
			}),
	],
	"a log of empty lines, 300 MB of them": [
		"access_log",
		() => gzipSync(Buffer.concat([Buffer.from(lineOf(1, "/")), Buffer.alloc(300_000_000, 0x0a)]), { level: 1 }),
	],
	"a table of 256 columns, 400,000 lines": [
		"ga4_csv",
		() => Buffer.from(`date,sessions${",".repeat(254)}\n${`2026-10-01,1${",".repeat(254)}\n`.repeat(400_000)}`),
	],
};

interface Import {
	readonly import_id: string;
	readonly status: string;
}

const dataDir = await mkdtemp(join(tmpdir(), "footfall-bench-beside-"));
const env = { ...benchEnv(join(dataDir, "data")), RATE_LIMIT_ENABLED: "false" };
const site = await createBenchSite(env, "UTC");
const service = await startService(env);

async function call(method: string, path: string, body?: FormData): Promise<Import> {
	const headers = await ownerHeaders(service.url);
	const url = `${service.url}/api/v1/imports${path}?account_id=${site.id}`;
	const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
	if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
	return response.status === 204 ? { import_id: "", status: "" } : ((await response.json()) as { data: Import }).data;
}

try {
	console.log(
		`${describeMachine()}\n${SECONDS} s each, ${CONNECTIONS} connections that send hits as fast as they are answered`,
	);
	const target = { host: "127.0.0.1", siteId: site.id, token: await readTrackerToken(service.url, site.id) };
	const measure = async () => {
		const load = await openLoad({
			target,
			port: service.port,
			connections: CONNECTIONS,
			requests: REQUESTS,
			visitors: VISITORS,
		});
		const result = await load.turn(SECONDS);
		load.close();
		if (result.failed > 0) throw new Error(`${result.failed} hits were not acknowledged`);
		return result;
	};
	const row = (what: string, { p50, p99, acknowledged }: Awaited<ReturnType<typeof measure>>, more = "") =>
		console.log(
			`${what.padEnd(46)} p50 ${p50.toFixed(1).padStart(6)} ms, p99 ${p99.toFixed(1).padStart(6)} ms, ${Math.round(acknowledged / SECONDS)} hits/s${more}`,
		);
	await measure();
	const without = await measure();
	row("without", without);
	for (const [what, [source, bytes]] of Object.entries(files)) {
		const form = new FormData();
		form.set("source", source);
		form.set("dry_run", "false");
		form.set("file", new Blob([new Uint8Array(bytes())]), "export");
		const { import_id: id } = await call("POST", "", form);
		while ((await call("GET", `/${id}`)).status === "pending") await pause(50);
		const store = service.storePid();
		let megabytes = 0;
		const watch = setInterval(() => {
			for (const pid of childrenOf(service.pid))
				if (pid !== store) megabytes = Math.max(megabytes, residentMegabytes(pid));
		}, 200);
		const result = await measure();
		clearInterval(watch);
		const { status } = await call("GET", `/${id}`);
		const ratio = result.p99 / without.p99;
		row(
			what,
			result,
			`; ${ratio.toFixed(2)} times, its process ${Math.round(megabytes)} MB, then ${status}${ratio < MOST ? "" : "  MISSES ITS BAR"}`,
		);
		await call(status === "completed" ? "POST" : "DELETE", status === "completed" ? `/${id}/undo` : `/${id}`);
		await pause(2000);
	}
	row("without, at the end", await measure());
} finally {
	await service.kill();
	await rm(dataDir, { recursive: true, force: true });
}
