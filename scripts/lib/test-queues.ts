import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { reaches } from "./reaches.ts";
import { root } from "./root.ts";

/**
 * Files that need a process of their own, by a part of their path and the reason. Everything else shares one with others:
 * to start a process and to load the service costs more than most files.
 */
const alone: readonly (readonly [part: string, reason: string])[] = [
	["platform/files/s3-store", "measures the memory of its process"],
	["collect/bounded-memory", "measures the memory of its process"],
	["scripts/lib/test-group", "starts groups of its own"],
];

/** Modules of the tests' support that start a browser, the service, its commands or an engine as processes. */
const STARTERS = new Set(
	["browser", "service-process", "command", "clickhouse-with-disk"].map((name) =>
		resolve(root, `packages/server/test/support/${name}.ts`),
	),
);

/** The groups of test files: `core` is `npm test`; `rest` is what `npm run test:all` adds. */
export type TestGroup = "core" | "rest";

/** The journeys through a browser that belong to the core. */
const CORE_JOURNEYS = ["journeys/visit.test", "journeys/first-figures", "journeys/getting-in"];
const REAL_TIME = "/test/real-time/";
/** Files of the rest that start nothing by these modules, by a part of their path and the reason. */
const rest: readonly (readonly [part: string, reason: string])[] = [
	["server/src/cli/backup", "starts an engine for each command"],
	["server/src/cli/doctor", "starts an engine for each command"],
	["server/src/cli/export", "starts an engine for each command"],
	["server/src/cli/operator", "starts an engine for each command"],
	["server/test/faults/", "damages stores of its own, fills disks and restarts services on them"],
	["server/test/collect-oracle", "draws many visits, which take longer the more are drawn"],
	["server/test/query-oracle", "draws many questions"],
	["contract/api-guide", "plays a guide"],
	["imports/import-memory", "fills the memory of a process"],
	["webhooks/samples", "runs the samples by PHP, Ruby and others"],
	["webhooks/verify-snippets", "runs the snippets by PHP, Ruby and others"],
	["scripts/deploy/programs", "asks proxies and systemd for their view of the files"],
	["scripts/lib/test-group", "starts groups of its own"],
	["scripts/mcp-conformance", "runs an outside program"],
];

/** Files whose tests take everything in the rest, and a part of it in the core. */
const both = [
	"contract/access-matrix",
	"contract/routes",
	"contract/shared-links",
	"server/test/event-oracle",
	"server/test/oracle",
	"sql/reports.sql",
];

/** How a file says that some of its tests need a server or a program, which the core does without. */
const NEEDS_MORE = /\bskip: |, skip \}|postgresSkip|onBothEngines|onEngines|onPostgres/i;

/** The files of a group, among those given. Some are in both: their tests on a second engine, or with more requests, belong to the rest. */
export const filesOf = (group: TestGroup, files: readonly string[]): readonly string[] =>
	files.filter((file) => {
		const isLong = rest.some(([part]) => file.includes(part)) || file.includes(REAL_TIME);
		const isStarter = isLong || reaches(resolve(root, file), STARTERS);
		const isCore = !isStarter || CORE_JOURNEYS.some((part) => file.includes(part));
		if (group === "core") return isCore;
		return (
			!isCore || both.some((part) => file.includes(part)) || NEEDS_MORE.test(readFileSync(resolve(root, file), "utf8"))
		);
	});

/** Test files by how they are run, each list in its order. */
export interface TestQueues {
	/** Those with a process of their own. */
	readonly alone: readonly string[];
	/** The real-time group: real processes, signals and locks. One after the other, when all else is through. */
	readonly realTime: readonly string[];
	/** Those that start browsers or services: no more at once than there are cores, or they run into each other's time limits. */
	readonly heavy: readonly string[];
	readonly light: readonly string[];
}

/** Sorts test files into queues: always in the same way. */
export function testQueues(files: readonly string[]): TestQueues {
	const sorted = [...files].sort((a, b) => a.localeCompare(b));
	const {
		alone: own = [],
		realTime = [],
		heavy = [],
		light = [],
	} = Object.groupBy(sorted, (file) => {
		if (alone.some(([part]) => file.includes(part))) return "alone";
		if (file.includes(REAL_TIME)) return "realTime";
		return reaches(resolve(root, file), STARTERS) ? "heavy" : "light";
	});
	return { alone: own, realTime, heavy, light };
}
