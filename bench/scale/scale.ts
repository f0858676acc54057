// Insert rate, answer times, disk and memory of one growing store: with a constant site among others that grow, and
// with one that grows itself. Prints tables for docs/benchmarks.md. `npm run bench:scale -- [millions of rows ...]`

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describeMachine } from "../support/machine.ts";
import { describeMemory, watchMemory } from "../support/process-figures.ts";
import { benchEnv, runFootfall, startService } from "../support/service.ts";
import { benchOwner, createBenchSite } from "../support/site.ts";
import { tableSizes } from "../support/table-sizes.ts";
import { copyRows, DAYS, mergesEnded, seed } from "./fill.ts";
import { reports, timesOf } from "./reports.ts";

const given = process.argv.slice(2).map(Number);
const SIZES = (given.length === 0 ? [1, 10, 100] : given).map((millions) => millions * 1_000_000);
/** Rows of the site that stays as it is, and of the one that is copied. */
const [STEADY, TEMPLATE] = [250_000, 250_000];
/** Rows that are seeded at each size, to see how fast that is. */
const PROBE = 300_000;
const [MONTH, YEAR] = [30, 365];
const IDLE_MS = 10_000;
/** How far the figures of one size may lie from another's to be called flat. */
const FLAT = 1.15;
const YEAR_LIMIT_MS = 120;

interface Figures {
	readonly rows: number;
	readonly seeded: number;
	readonly copied: number;
	readonly steadyMonth: readonly number[];
	readonly month: readonly number[];
	readonly year: readonly number[];
	readonly bytes: number;
	readonly idle: string;
	readonly peak: number;
}

const whole = (value: number) => Math.round(value).toLocaleString("en");
const ms = (value: number) => value.toFixed(1);
const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

async function newSite(env: NodeJS.ProcessEnv, name: string): Promise<string> {
	const site = ["--owner", benchOwner.email, "--name", name, "--timezone", "Europe/Madrid", "--json"];
	return JSON.parse(await runFootfall(env, ["sites", "create", ...site])).id;
}

async function measure(dataDir: string, env: NodeJS.ProcessEnv): Promise<Figures[]> {
	const steady = await createBenchSite(env);
	const [template, growing, probe] = [
		await newSite(env, "Template"),
		await newSite(env, "Growing"),
		await newSite(env, "Probe"),
	];
	await seed(env, steady.id, STEADY, 1);
	await seed(env, template, TEMPLATE, 2);
	const figures: Figures[] = [];
	let copies = 0;
	for (const [index, size] of SIZES.entries()) {
		const end = Math.max(copies + 1, Math.round((size - STEADY - TEMPLATE - PROBE * (index + 1)) / TEMPLATE));
		const copied = await copyRows(dataDir, { from: template, to: growing, first: copies, end });
		copies = end;
		await mergesEnded(dataDir);
		const seeded = await seed(env, probe, PROBE, 3 + index);
		await mergesEnded(dataDir);
		const sizes = await tableSizes(dataDir, "events");
		const service = await startService(env);
		try {
			await pause(IDLE_MS);
			const pids = [service.pid, service.storePid()];
			const idle = describeMemory(pids);
			const memory = watchMemory(pids);
			const grown = { ...steady, id: growing };
			// A service that has just started still compiles its own code.
			await timesOf(service, steady, MONTH);
			const times = {
				steadyMonth: await timesOf(service, steady, MONTH),
				month: await timesOf(service, grown, MONTH),
				year: await timesOf(service, grown, YEAR),
			};
			const peak = memory.stop().together;
			figures.push({ rows: sizes.rows, seeded, copied, bytes: sizes.bytes / sizes.rows, idle, peak, ...times });
		} finally {
			await service.stop();
		}
		console.error(`measured ${whole(size)} rows`);
	}
	return figures;
}

function print(figures: readonly Figures[]): void {
	const table = (head: string, lines: readonly (readonly [string, (of: Figures) => string])[]) => {
		console.log(`\n${row([head, ...figures.map(({ rows }) => `${whole(rows)} rows`)])}`);
		console.log(row(["---", ...figures.map(() => "---:")]));
		for (const [label, cell] of lines) console.log(row([label, ...figures.map(cell)]));
	};
	table("the store", [
		["rows a second, seeded (made, sent, stored)", ({ seeded }) => whole(seeded)],
		["rows a second, copied within the engine", ({ copied }) => whole(copied)],
		["bytes on disk a row", ({ bytes }) => ms(bytes)],
		["memory idle, MB", ({ idle }) => idle],
		["most memory while asked, MB resident", ({ peak }) => whole(peak)],
	]);
	const named = (of: (size: Figures) => readonly number[]) =>
		reports.map(([name], index) => [name, (size: Figures) => ms(of(size)[index] ?? 0)] as const);
	table(
		"30 days of a site that stays as it is, p95 in ms",
		named(({ steadyMonth }) => steadyMonth),
	);
	table(
		"30 days of the site that grows, p95 in ms",
		named(({ month }) => month),
	);
	table(
		"12 months of the site that grows, p95 in ms",
		named(({ year }) => year),
	);
}

function spread(values: readonly number[]): string {
	const ratio = Math.max(...values) / Math.min(...values);
	return `${ratio <= FLAT ? "flat" : "not flat"} (most is ${ratio.toFixed(2)} times least)`;
}

function printVerdicts(figures: readonly Figures[]): void {
	const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
	console.log(
		`\nSeeding is ${spread(figures.map(({ seeded }) => seeded))}, copying ${spread(figures.map(({ copied }) => copied))}.`,
	);
	console.log(`30 days of the steady site are ${spread(figures.map(({ steadyMonth }) => sum(steadyMonth)))},`);
	console.log(`of the growing one ${spread(figures.map(({ month }) => sum(month)))}; five reports together.`);
	const overview = figures.at(-1)?.year[0] ?? 0;
	const kept = overview < YEAR_LIMIT_MS ? "below" : "not below";
	console.log(`12 months of the overview at the largest size: ${ms(overview)} ms, ${kept} ${YEAR_LIMIT_MS} ms.`);
}

const dataDir = await mkdtemp(join(tmpdir(), "footfall-bench-scale-"));
try {
	console.log(`${describeMachine()}; ${DAYS} days of rows.`);
	const figures = await measure(dataDir, { ...benchEnv(dataDir), RATE_LIMIT_ENABLED: "false" });
	print(figures);
	printVerdicts(figures);
} finally {
	await rm(dataDir, { recursive: true, force: true });
}
