// A service with 512 MB of memory and a million rows with 200,000 paths: no process may be killed, small reports are answered, and those
// that are too big are refused with what to ask instead. `npm run bench:small-box -- [megabytes] [rows]`; a control group needs root.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeMachine } from "../support/machine.ts";
import { memoryLimit } from "../support/memory-limit.ts";
import { benchEnv, runFootfall, startService } from "../support/service.ts";
import { createBenchSite } from "../support/site.ts";

const MEGABYTES = Number(process.argv[2] ?? 512);
const ROWS = process.argv[3] ?? "1000000";
const AT_ONCE = 6;

const small = ["overview", "pages", "sources"].flatMap((report) =>
	["30d", "12m"].map((period) => `/stats/${report}?period=${period}`),
);
const year = {
	date_from: new Date(Date.now() - 360 * 86_400_000).toISOString().slice(0, 10),
	date_to: new Date().toISOString().slice(0, 10),
};
const big = {
	...year,
	granularity: "hourly",
	metrics: ["page_views", "entrances", "revenue"],
	dimensions: ["path", "utm_campaign", "browser"],
	limit: 10_000,
};

const limit = memoryLimit(`footfall-small-box-${process.pid}`, MEGABYTES * 2 ** 20);
if (limit === undefined) {
	console.error("No control group can be made here: the bench needs Linux and root");
	process.exit(2);
}
let stop: (() => Promise<void>) | undefined;
const dataDir = await mkdtemp(join(tmpdir(), "footfall-small-box-"));
try {
	console.log(`${describeMachine()}\n${MEGABYTES} MB, ${ROWS} rows`);
	const env = { ...benchEnv(dataDir), RATE_LIMIT_ENABLED: "false", REPORT_CACHE_BYTES: "0", LOG_LEVEL: "fatal" };
	const site = await createBenchSite(env);
	await runFootfall(env, ["seed", "--site", site.id, "--rows", ROWS, "--days", "365", "--wild"]);
	const service = await startService(env, limit.within);
	stop = service.stop;
	const store = service.storePid();
	const ask = async (path: string, body?: object) => {
		const began = performance.now();
		const answer = await fetch(`${service.url}/api/v1${path}${path.includes("?") ? "&" : "?"}site_id=${site.id}`, {
			headers: { "x-api-key": site.apiKey, ...(body !== undefined && { "content-type": "application/json" }) },
			...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
		});
		const text = await answer.text();
		const ms = Math.round(performance.now() - began);
		console.log(`${String(answer.status)} ${path.padEnd(32)} ${String(ms).padStart(6)} ms, ${limit.used()} MB in use`);
		return { status: answer.status, text };
	};
	const faults: string[] = [];
	for (const path of small) if ((await ask(path)).status !== 200) faults.push(`${path} was not answered`);
	const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => ask("/stats/query", big)));
	if (answers.some(({ status, text }) => status !== 200 && !(status === 504 && text.includes("fewer days"))))
		faults.push("a report that is too big was not refused as such");
	for (const path of small) if ((await ask(path)).status !== 200) faults.push(`${path} was not answered afterwards`);
	if (limit.kills() > 0 || service.storePid() !== store) faults.push(`${limit.kills()} processes were killed`);
	console.log(faults.length === 0 ? "ok: no process was killed" : faults.join("\n"));
	process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
	await stop?.();
	await limit.remove();
	await rm(dataDir, { recursive: true, force: true });
}
