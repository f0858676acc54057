/** A constant of the plan and its source. */
export interface Constant {
	readonly value: number;
	readonly unit: string;
	/** The bench and its day in docs/benchmarks.md, or a measurement of a decision record. */
	readonly measured?: string;
	/** Why it is taken to be so. */
	readonly assumed?: string;
}

const INGEST = "bench:ingest, 22 November 2026";
const QUERY = "bench:query, 22 November 2026, 5 million rows of the site, a year";
const CAPACITY = "bench:capacity:measure, 23 November 2026";
const LOADER = "the code's own bound";

/** Measured on 2 cores at about half of their usual speed, which leaves room. */
export const constants = {
	// Traffic
	dailyPeak: { value: 1.9, unit: "times the mean of a day", assumed: "visitors of one time zone, as in bench:alerts" },
	weeklyPeak: {
		value: 1.105,
		unit: "times the mean of a week",
		assumed: "a weekday, with two thirds of it at weekends",
	},
	burst: { value: 1.5, unit: "times the busiest hour", assumed: "minutes after a newsletter or a television spot" },
	hitsAVisit: {
		value: 3.25,
		unit: "hits",
		measured: "bench:imports, 23 November 2026: 1,250,043 views, 384,302 visits",
	},
	rowsAHit: { value: 1.22, unit: "rows", measured: "bench:imports, 23 November 2026: and 270,966 engaged rows" },
	clickIdsAVisit: { value: 0.05, unit: "click ids", assumed: "a visit in twenty comes from an ad" },
	reportsAHit: { value: 0.01, unit: "reports", assumed: "ten requests when somebody looks, once in a thousand hits" },
	// Collector
	collectorUs: { value: 76, unit: "µs a hit", measured: INGEST },
	redisClientUs: { value: 18.2, unit: "µs a hit more than in memory", measured: CAPACITY },
	hitBytes: { value: 852, unit: "bytes a hit on the line", measured: CAPACITY },
	answerBytes: { value: 200, unit: "bytes a hit on the line", assumed: "an answer 204, headers of packets" },
	spoolHeads: { value: 1.1, unit: "times the rows in the spool", assumed: "heads of records, ends of segments" },
	commitMs: { value: 5, unit: "ms a commit of the spool", assumed: "a fast disk that syncs" },
	loaderRows: {
		value: 61_208,
		unit: "rows/s of one loader",
		measured: `${QUERY}: seeding, one insert after the other`,
	},
	loadEvery: { value: 1, unit: "s from one load to the next", measured: LOADER },
	fullRows: { value: 20_000, unit: "rows that begin a load at once", measured: LOADER },
	visitBytes: { value: 800, unit: "bytes a running visit in memory", measured: "docs/operations.md, running visits" },
	clickIdBytes: { value: 150, unit: "bytes a click id in memory", measured: "docs/operations.md, running visits" },
	clickIdNotes: {
		value: 3_000_000,
		unit: "click ids a day and collector that a restart knows",
		measured: "docs/operations.md, 64 MB of notes",
	},
	visitSeconds: {
		value: 1980,
		unit: "s that a visit is kept",
		assumed: "the timeout of 30 minutes, and 3 of its hits",
	},
	// Redis
	redisUs: { value: 8.5, unit: "µs a hit, 20 at a time", measured: CAPACITY },
	redisVisitBytes: { value: 584, unit: "bytes a running visit", measured: CAPACITY },
	redisClickIdBytes: { value: 116, unit: "bytes a click id", measured: CAPACITY },
	clickIdDays: { value: 30, unit: "days", measured: LOADER },
	// Event store
	insertUs: { value: 97_664, unit: "µs an insert and shard, however small", measured: CAPACITY },
	rowUs: { value: 7.8, unit: "µs a row, with its first merges", measured: CAPACITY },
	laterMerges: {
		value: 2,
		unit: "times what a row costs",
		assumed: "merges of the hours and days after the measurement",
	},
	insertBytes: { value: 540_000, unit: "bytes written an insert and shard", measured: CAPACITY },
	rowWritten: { value: 45, unit: "bytes written a row, with its first merges", measured: CAPACITY },
	tokens: { value: 100_000, unit: "inserts that a shard knows again", measured: LOADER },
	rowBytes: {
		value: 38,
		unit: "bytes on disk a row",
		measured: `docs/benchmarks.md, 22 November 2026: 200,000 paths; 21 with few`,
	},
	wayBytes: { value: 229, unit: "bytes a row on its way to the store", measured: CAPACITY },
	monthReportUs: { value: 14_000, unit: "µs of the engine a report of 30 days", measured: QUERY },
	yearReportUs: { value: 38_000, unit: "µs of the engine a report of 12 months", measured: QUERY },
	yearReports: { value: 0.1, unit: "part of the reports", assumed: "most look at a month or less" },
	scanUs: {
		value: 310_000,
		unit: "µs of the engine a report that reads rows",
		measured: `${QUERY}: pages with campaigns, filtered`,
	},
	scanReports: { value: 0.02, unit: "part of the reports", assumed: "filters across families over 12 months are rare" },
	partsASecond: { value: 30, unit: "parts/s a shard", assumed: "below it merges keep a partition under 1,000 parts" },
	keeperAnInsert: {
		value: 20,
		unit: "requests of Keeper an insert and shard",
		assumed: "entry, blocks, log and their readers",
	},
	keeperRequests: { value: 10_000, unit: "requests/s of Keeper", assumed: "three small machines with fast disks" },
	memoryACore: { value: 4, unit: "GB a core of the store", assumed: "usual shape of a machine" },
	diskACore: { value: 0.5, unit: "TB a core of the store", assumed: "usual shape of a machine" },
	// API and accounts
	apiUs: { value: 4_000, unit: "µs a report outside the engine", measured: `${QUERY}: HTTP less engine` },
	places: { value: 8, unit: "questions at a time and process", measured: LOADER },
	pollsAProcess: { value: 3, unit: "statements/s", assumed: "settings every five seconds, jobs every second" },
	statementsAReport: { value: 3, unit: "statements", assumed: "session or key, role, site" },
	postgresStatements: { value: 10_000, unit: "statements/s of PostgreSQL", assumed: "reads by key on 4 cores" },
} as const satisfies Readonly<Record<string, Constant>>;

/** The value of each. */
export type Values = { readonly [Name in keyof typeof constants]: number };

/** The values that the plan is made with. */
export const values = Object.fromEntries(Object.entries(constants).map(([name, { value }]) => [name, value])) as Values;
