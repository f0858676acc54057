// Backups of a filled store while hits come: how long they take, what they do to hits, and how long a restore takes.
// `npm run bench:backup -- [rows]`
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyRows, DAYS, mergesEnded, seed } from "../scale/fill.ts";
import { describeMachine } from "../support/machine.ts";
import { openLoad } from "../support/open-load.ts";
import { benchEnv, runFootfall, startService } from "../support/service.ts";
import { createBenchSite, readTrackerToken } from "../support/site.ts";

const ROWS = Number(process.argv[2] ?? 1_000_000);
/** Rows that are made one by one; the others are copies. */
const SEEDED = Math.min(ROWS, 250_000);
const LOAD_SECONDS = 15;
const MAX_BACKUP_SECONDS = 30;
const MAX_RESTORE_SECONDS = 60;
const MAX_SLOWING = 0.2;

interface Made {
	readonly id: string;
	readonly bytes: number;
	readonly newBytes: number;
	readonly seconds: number;
}

const bar = (what: string, value: number, most: number, unit: string): void => {
	const shown = `${value.toFixed(1)}${unit}, at most ${most}${unit}`;
	console.log(`${value <= most ? "ok    " : "FAILED"} ${what}: ${shown}`);
	if (value > most) process.exitCode = 1;
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
	const began = performance.now();
	await work();
	return (performance.now() - began) / 1000;
};

const directory = await mkdtemp(join(tmpdir(), "footfall-bench-backup-"));
const [dataDir, place] = [join(directory, "data"), join(directory, "place")];
const env = benchEnv(dataDir);
try {
	console.log(describeMachine());
	const site = await createBenchSite(env);
	await seed(env, site.id, SEEDED, 1);
	const copies = Math.ceil(ROWS / SEEDED);
	if (copies > 1) await copyRows(dataDir, { from: site.id, to: site.id, first: 1, end: copies });
	await mergesEnded(dataDir);
	console.log(`${ROWS.toLocaleString("en")} rows over ${DAYS} days`);
	const service = await startService(env);
	const token = await readTrackerToken(service.url, site.id);
	const target = { host: `127.0.0.1:${service.port}`, siteId: site.id, token };
	const load = await openLoad({ connections: 50, requests: 50_000, visitors: 20_000, port: service.port, target });
	let [acknowledged, seconds] = [0, 0];
	/** Hits a second of a turn; the load counts all turns together. */
	const turn = async (length: number): Promise<number> => {
		const result = await load.turn(length);
		const rate = (result.acknowledged - acknowledged) / (result.seconds - seconds);
		[acknowledged, seconds] = [result.acknowledged, result.seconds];
		return rate;
	};
	await turn(5);
	const alone = await turn(LOAD_SECONDS);
	const made: Made[] = [];
	let isOver = false;
	const backing = (async () => {
		for (let n = 0; !isOver || n < 2; n++) {
			const more = n === 0 ? [] : ["--full"];
			made.push(JSON.parse(await runFootfall(env, ["backup", "--to", place, "--json", ...more])));
		}
	})();
	const beside = await turn(LOAD_SECONDS);
	isOver = true;
	await backing;
	const next: Made = JSON.parse(await runFootfall(env, ["backup", "--to", place, "--json"]));
	load.close();
	await service.stop();
	const first = made[0]?.seconds ?? Number.NaN;
	console.log(
		`${made[0]?.bytes.toLocaleString("en")} bytes; the next one ${next.newBytes.toLocaleString("en")}, in ${next.seconds} s`,
	);
	console.log(
		`hits a second: ${alone.toFixed(0)} alone, ${beside.toFixed(0)} during ${made.length} full backups one after the other`,
	);
	bar("backup while hits come", first, MAX_BACKUP_SECONDS, " s");
	bar("hits are slowed by", 100 * Math.max(0, 1 - beside / alone), 100 * MAX_SLOWING, " %");
	const verified = await timed(() => runFootfall(env, ["verify", place]));
	console.log(`verify: ${verified.toFixed(1)} s`);
	const restored = join(directory, "restored");
	bar("restore", await timed(() => runFootfall(env, ["restore", place, "--to", restored])), MAX_RESTORE_SECONDS, " s");
} finally {
	await rm(directory, { recursive: true, force: true });
}
