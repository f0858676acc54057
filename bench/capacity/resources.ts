import type { Values } from "./constants.ts";
import { type Deployment, withoutOne } from "./deployment.ts";
import type { Traffic } from "./traffic.ts";

/** Something of which there is a certain amount. */
export interface Resource {
	readonly name: string;
	readonly used: number;
	readonly of: number;
	readonly unit: string;
	/** The share that is planned with. */
	readonly limit: number;
	/** Used share. */
	readonly share: number;
}

/** Queues grow without end towards a full processor; full disks and memories refuse. */
const [BUSY, FULL, COUNTED] = [0.6, 0.7, 0.9];
/** The longest time for which the event store may be away in the busiest hour. */
const AWAY_SECONDS = 30 * 60;
const NETWORK_GBIT = 10;
/** A quarter of the heap of Node, which is 4 GB on a machine with 16 or more. */
const SESSION_MEMORY_GB = 1;

/** Bytes of a hit that waits in the spool. */
export const spoolBytesAHit = (of: Values) => of.rowsAHit * of.wayBytes * of.spoolHeads;

/** Microseconds of a collector for a hit. */
export const collectorUs = (of: Values, { cells }: Deployment) => of.collectorUs + (cells > 0 ? of.redisClientUs : 0);

/** Inserts a second, each of which reaches every shard, at so many hits a second; few hits are stored one by one. */
export function insertsASecond(of: Values, hits: number, collectors: number): number {
	const rows = (hits * of.rowsAHit) / collectors;
	return collectors * Math.max(Math.min(1 / of.loadEvery, hits / collectors), rows / of.fullRows);
}

/** Microseconds of the engine for a report, on every shard alike: most of it is planning. */
export const reportUs = (of: Values) => of.monthReportUs * (1 - of.yearReports) + of.yearReportUs * of.yearReports;

/** Cores of a machine of the event store that inserts and merges take. */
export function insertCores(of: Values, hits: number, { collectors, shards }: Deployment): number {
	const rows = (hits * of.rowsAHit) / shards;
	return (insertsASecond(of, hits, collectors) * of.insertUs + rows * of.rowUs * of.laterMerges) / 1e6;
}

/** Cores of a machine of the event store that reports take; rows are divided among shards, planning is not. */
export function reportCores(of: Values, reports: number, { shards, replicas }: Deployment): number {
	const scan = (of.scanReports * of.scanUs) / shards;
	return (reports * (reportUs(of) + scan)) / 1e6 / withoutOne(replicas);
}

/**
 * Resources of an installation, and their use by a traffic with one process and one machine of each kind unavailable.
 */
export function resources(of: Values, traffic: Traffic, deployment: Deployment): Resource[] {
	return [
		...ofCollectors(of, traffic, deployment),
		...ofStore(of, traffic, deployment),
		...ofReaders(of, traffic, deployment),
	].map((resource) => ({ ...resource, share: resource.used / resource.of }));
}

type Unshared = Omit<Resource, "share">;

function ofCollectors(of: Values, traffic: Traffic, deployment: Deployment): Unshared[] {
	const { cells, redisGb, spoolGb } = deployment;
	const collectors = withoutOne(deployment.collectors);
	const { peak, busiest, visits, clickIds } = traffic;
	const cpu = (peak * collectorUs(of, deployment)) / 1e6;
	const waiting = (busiest * spoolBytesAHit(of) * AWAY_SECONDS) / 1e9;
	const notes = clickIds / of.clickIdDays;
	const held = (visits * of.visitBytes + clickIds * of.clickIdBytes) / 1e9;
	const network = (peak * (of.hitBytes + of.answerBytes) * 8) / 1e9;
	const shared = (visits * of.redisVisitBytes + clickIds * of.redisClickIdBytes) / 1e9;
	return [
		{ name: "collectors, processor", used: cpu, of: collectors, unit: "cores", limit: BUSY },
		{ name: "collectors, spool for 30 minutes", used: waiting, of: collectors * spoolGb, unit: "GB", limit: COUNTED },
		{
			name: "collectors, notes of click ids",
			used: notes,
			of: collectors * of.clickIdNotes,
			unit: "a day",
			limit: COUNTED,
		},
		{ name: "balancer, network", used: network, of: NETWORK_GBIT, unit: "Gbit/s", limit: BUSY },
		...(cells === 0
			? [{ name: "collectors, memory of visits", used: held, of: SESSION_MEMORY_GB, unit: "GB", limit: COUNTED }]
			: [
					{ name: "Redis, processor", used: (peak * of.redisUs) / 1e6, of: cells, unit: "cores", limit: BUSY },
					{ name: "Redis, memory", used: shared, of: cells * redisGb, unit: "GB", limit: FULL },
				]),
	];
}

function ofStore(of: Values, traffic: Traffic, deployment: Deployment): Unshared[] {
	const { shards, nodeCores } = deployment;
	const cpu = insertCores(of, traffic.peak, deployment) + reportCores(of, traffic.reports, deployment);
	const inserts = insertsASecond(of, traffic.peak, deployment.collectors);
	const disk = (traffic.rowsAYear * of.rowBytes) / 1e12;
	const capacity = shards * nodeCores * of.diskACore;
	return [
		{ name: "event store, processor", used: cpu, of: nodeCores, unit: "cores a machine", limit: BUSY },
		{ name: "event store, disk for 12 months", used: disk, of: capacity, unit: "TB", limit: FULL },
		{ name: "event store, parts", used: inserts, of: of.partsASecond, unit: "a second and shard", limit: COUNTED },
		{
			name: "Keeper, requests",
			used: inserts * shards * of.keeperAnInsert,
			of: of.keeperRequests,
			unit: "a second",
			limit: BUSY,
		},
	];
}

function ofReaders(of: Values, traffic: Traffic, deployment: Deployment): Unshared[] {
	const apis = withoutOne(deployment.apis);
	const { reports } = traffic;
	const scan = (of.scanReports * of.scanUs) / deployment.shards;
	const places = (reports * (reportUs(of) + scan)) / 1e6;
	const processes = deployment.collectors + deployment.apis + 2;
	const statements = processes * of.pollsAProcess + reports * of.statementsAReport;
	return [
		{ name: "API, processor", used: (reports * of.apiUs) / 1e6, of: apis, unit: "cores", limit: BUSY },
		{ name: "API, questions at a time", used: places, of: apis * of.places, unit: "", limit: BUSY },
		{ name: "PostgreSQL, statements", used: statements, of: of.postgresStatements, unit: "a second", limit: BUSY },
	];
}
