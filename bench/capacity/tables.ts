import { type Constant, constants, values } from "./constants.ts";
import { costOf, examplePrices } from "./cost.ts";
import { type Deployment, oneMachine, withoutOne } from "./deployment.ts";
import { commitsOf } from "./group-commit.ts";
import { outageOf } from "./outage.ts";
import { breaksFirst, endOf, leftOut, planFor, strain } from "./plan.ts";
import { collectorUs, insertCores, insertsASecond, type Resource, reportCores, resources } from "./resources.ts";
import { away, type Simulated, simulate } from "./simulation.ts";
import { sizingOf } from "./sizing.ts";
import { type Traffic, trafficOf } from "./traffic.ts";

/** Planned sizes, in hits a month, with their names. */
const SIZES = [
	["1 billion", 1e9],
	["10 billion", 1e10],
	["100 billion", 1e11],
] as const;
const SMALL = [
	["10 thousand", 1e4],
	["1 million", 1e6],
	["10 million", 1e7],
	["100 million", 1e8],
] as const;

interface Planned {
	readonly title: string;
	readonly traffic: Traffic;
	readonly plan: Deployment;
}

/** The installation of each size. */
export const planned: readonly Planned[] = SIZES.map(([title, hits]) => {
	const traffic = trafficOf(hits, values);
	return { title, traffic, plan: planFor(values, traffic) };
});

/** Calculated result of a simulated weekday. */
export interface Expected {
	readonly collectors: number;
	readonly redis: number;
	readonly store: number;
}

/** Shares of processors at so many hits and reports a second, with one of each kind away. */
export function expected(hits: number, reports: number, plan: Deployment): Expected {
	const collectors = withoutOne(plan.collectors);
	const store = insertCores(values, hits, { ...plan, collectors }) + reportCores(values, reports, plan);
	return {
		collectors: (hits * (values.collectorUs + values.redisClientUs)) / 1e6 / collectors,
		redis: (hits * values.redisUs) / 1e6 / plan.cells,
		store: store / plan.nodeCores,
	};
}

const number = (value: number): string => {
	if (value >= 100) return Math.round(value).toLocaleString("en");
	return String(Number(value.toPrecision(2)));
};
const percent = (share: number) => `${number(share * 100)} %`;
const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
	const rule = head.map((_, index) => (index === 0 ? "---" : "---:"));
	return [head, rule, ...rows].map(line).join("\n");
}

const bySize = (name: string, rows: readonly (readonly [string, (size: Planned) => string])[]) =>
	table(
		[name, ...planned.map(({ title }) => title)],
		rows.map(([label, cell]) => [label, ...planned.map(cell)]),
	);

const cost = ({ plan }: Planned) => costOf(values, plan, examplePrices);

function planTable(): string {
	return bySize("hits a month", [
		["hits a second, mean", ({ traffic }) => number(traffic.mean)],
		["in the busiest hour; in a burst of it", ({ traffic }) => `${number(traffic.busiest)}; ${number(traffic.peak)}`],
		["reports a second in the busiest hour", ({ traffic }) => number(traffic.reports)],
		["rows of 12 months, billions", ({ traffic }) => number(traffic.rowsAYear / 1e9)],
		["collectors (2 cores each)", ({ plan }) => String(plan.collectors)],
		["`SPOOL_MAX_BYTES` of each", ({ plan }) => `${plan.spoolGb}GB`],
		["groups of collectors, each with a Redis of its own", ({ plan }) => String(plan.cells)],
		["memory of each Redis", ({ plan }) => `${plan.redisGb} GB`],
		["shards x machines of each", ({ plan }) => `${plan.shards} x ${plan.replicas}`],
		["cores of each of them", ({ plan }) => String(plan.nodeCores)],
		["memory of each of them", ({ plan }) => `${plan.nodeCores * values.memoryACore} GB`],
		["disk of each of them", ({ plan }) => `${plan.nodeCores * values.diskACore} TB`],
		["API processes (2 cores each)", ({ plan }) => String(plan.apis)],
		["rows of 12 months, TB on every copy", ({ traffic }) => number((traffic.rowsAYear * values.rowBytes) / 1e12)],
		[
			"hits on the line in a burst, Gbit/s",
			({ traffic }) => number((traffic.peak * (values.hitBytes + values.answerBytes) * 8) / 1e9),
		],
		["written a day on each machine, GB", (size) => number(writtenGbADay(size))],
		["a store away for 10 minutes: spool of each collector", (size) => `${number(outage(size).spoolGb)} GB`],
		["  and until it is empty again", (size) => `${number(outage(size).drainSeconds)} s`],
		["hours for which a repeated insert is known", (size) => number(tokenHours(size))],
		["cores, all", (size) => number(cost(size).cores)],
		["core hours a month", (size) => number(cost(size).coreHours)],
		["memory of Redis, with a second one each, GB", (size) => number(cost(size).redisGb)],
		["disk, TB", (size) => number(cost(size).diskTb)],
		["price a month, at the example prices", (size) => number(cost(size).price)],
		["price a million hits", (size) => (cost(size).price / (size.traffic.hitsAMonth / 1e6)).toFixed(2)],
	]);
}

const outage = ({ traffic, plan }: Planned) => outageOf(values, traffic, plan, away.seconds);

const tokenHours = ({ traffic, plan }: Planned) =>
	values.tokens / insertsASecond(values, traffic.peak, plan.collectors) / 3600;

function writtenGbADay({ traffic, plan }: Planned): number {
	const rows = (traffic.mean * values.rowsAHit * values.rowWritten * values.laterMerges) / plan.shards;
	return ((plan.collectors * values.insertBytes + rows) * 86_400) / 1e9;
}

function resourceTable(): string {
	const names = resources(values, ...first()).map(({ name }) => name);
	const cell = (name: string) => (size: Planned) => {
		const found = resources(values, size.traffic, size.plan).find((resource) => resource.name === name);
		return found === undefined ? "" : `${percent(found.share)} of ${percent(found.limit)}`;
	};
	return bySize(
		"used of what is planned with",
		names.map((name) => [name, cell(name)] as const),
	);
}

function first(): [Traffic, Deployment] {
	const [size] = planned;
	if (size === undefined) throw new Error("no size is planned");
	return [size.traffic, size.plan];
}

const stepNames: Readonly<Record<keyof Deployment, string>> = {
	collectors: "collectors",
	cells: "groups with a Redis",
	redisGb: "memory of Redis",
	shards: "shards",
	replicas: "machines a shard",
	nodeCores: "cores and disk of a machine",
	apis: "API processes",
	spoolGb: "spool",
};
/** Steps that are made for one of them to be away. */
const spare: ReadonlySet<keyof Deployment> = new Set(["collectors", "replicas", "apis"]);
const used = ({ name, share, limit }: Resource) => `${name}: ${percent(share)}, ${percent(limit)} are planned with`;

function breaksTable(): string {
	const rows = planned.flatMap(({ title, traffic, plan }, index) => {
		const before = planned[index - 1]?.plan ?? oneMachine;
		const all = [title, "none of the steps", "", used(breaksFirst(values, traffic, before))];
		const steps = leftOut(values, traffic, before, plan).map(({ step, before, after, breaks }) => [
			title,
			stepNames[step],
			`${before} instead of ${after}`,
			strain(breaks) > 1 ? used(breaks) : spare.has(step) ? "nothing, until one is away" : "nothing",
		]);
		const end = endOf(values, plan);
		const most = `${number(end.hitsAMonth / 1e9)} billion`;
		return [all, ...steps, [title, "all are made: the next end", `at ${most}`, end.first.name]];
	});
	return table(["hits a month", "step left out", "", "breaks first"], rows);
}

const hitsACollector = ({ traffic, plan }: Planned) => traffic.peak / withoutOne(plan.collectors);

/** Hits of a commit and their wait in a burst, by a simulated minute of a collector. */
export const commits = (size: Planned) => commitsOf(values, hitsACollector(size), collectorUs(values, size.plan));

/** The same by arithmetic: a hit waits for the processor as for any single queue, for half a commit, and for its own. */
export function calculatedCommits(size: Planned): { hits: number; waitMs: number } {
	const [hits, costMs] = [hitsACollector(size) / 1000, collectorUs(values, size.plan) / 1000];
	const busy = hits * costMs;
	const queue = (busy * costMs) / (2 * (1 - busy));
	return { hits: hits * values.commitMs, waitMs: costMs + queue + 1.5 * values.commitMs };
}

/** A simulated weekday of each size. */
export const simulateAll = (): readonly Simulated[] =>
	planned.map(({ traffic, plan }) => simulate(values, traffic, plan));

/** Arithmetic and simulation side by side. */
export function simulationTable(days: readonly Simulated[]): string {
	const of = (size: Planned) => days[planned.indexOf(size)] as Simulated;
	const both = (name: "collectors" | "redis" | "store", label: string) =>
		[
			[
				`${label}, mean of the day`,
				(size: Planned) => {
					const mean = size.traffic.mean * values.weeklyPeak;
					return `${percent(expected(mean, mean * values.reportsAHit, size.plan)[name])}; ${percent(of(size).mean[name])}`;
				},
			],
			[
				`${label}, busiest minute`,
				(size: Planned) =>
					`${percent(expected(size.traffic.peak, size.traffic.reports, size.plan)[name])}; ${percent(of(size).peak[name])}`,
			],
		] as const;
	return bySize("calculated; simulated", [
		...both("collectors", "collectors"),
		...both("redis", "Redis"),
		...both("store", "event store"),
		[
			"spool of a collector after 10 minutes, GB",
			(size) => `${number(outage(size).spoolGb)}; ${number(of(size).spoolGb)}`,
		],
		["until it is empty again, s", (size) => `${number(outage(size).drainSeconds)}; ${number(of(size).drainSeconds)}`],
		["hits that wait for a collector, s at most", (size) => `; ${number(of(size).queueSeconds)}`],
		["hits a commit of the spool", (size) => `${number(calculatedCommits(size).hits)}; ${number(commits(size).hits)}`],
		[
			"a hit waits for its answer, ms on average",
			(size) => `${number(calculatedCommits(size).waitMs)}; ${number(commits(size).waitMs)}`,
		],
		["hits of the day, millions", (size) => `; ${number(of(size).arrived / 1e6)}`],
	]);
}

const basis = ({ measured, assumed }: Constant) => (measured === undefined ? `assumed: ${assumed}` : measured);

function constantsTable(): string {
	const rows = Object.values<Constant>(constants).map((constant) => [
		`${constant.value.toLocaleString("en")} ${constant.unit}`,
		basis(constant),
	]);
	return ["| constant | from |", "| --- | --- |", ...rows.map(line)].join("\n");
}

function sizingTable(): string {
	return table(
		[
			"hits a month",
			"hits/s in a burst",
			"a core's time for hits",
			"rows of 12 months",
			"memory of visits",
			"cores",
			"memory",
			"disk",
		],
		SMALL.map(([title, hits]) => {
			const { peak, processor, diskGbAYear, visitsMb, cores, memoryGb, diskGb } = sizingOf(values, hits);
			const size = diskGbAYear < 1 ? `${number(diskGbAYear * 1000)} MB` : `${number(diskGbAYear)} GB`;
			return [
				title,
				number(peak),
				percent(processor),
				size,
				`${number(visitsMb)} MB`,
				String(cores),
				`${memoryGb} GB`,
				`${diskGb} GB`,
			];
		}),
	);
}

/** Every table of docs/capacity.md by its name there. */
export const tables = (days: readonly Simulated[]): Readonly<Record<string, string>> => ({
	plan: planTable(),
	resources: resourceTable(),
	breaks: breaksTable(),
	simulation: simulationTable(days),
	sizing: sizingTable(),
	constants: constantsTable(),
});
