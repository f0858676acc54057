import { type RawBuilder, sql } from "kysely";
import { engineOf, type Metadata } from "../metadata/metadata.ts";
import { type JobRow, tables } from "./job-tables.ts";
import { GROUP_LENGTH } from "./jobs.ts";
import { padded } from "./store.ts";

/** Which due jobs a process takes. */
export interface Claim {
	readonly kind: string;
	readonly limit: number;
	readonly lease: string;
	readonly leaseUntil: number;
	readonly nowMs: number;
	/** Jobs that this process runs: a clock that jumps must not make it take them twice. */
	readonly except: readonly number[];
	readonly perLane: number;
	readonly runningLanes: readonly string[];
	/** At most so many of a group of lanes, those that are running included. */
	readonly perGroup: number;
}

/** Takes due jobs of a kind, those of lanes of which none runs first, then the oldest; of several processes that ask at once, one gets each job. */
export async function claimJobs(metadata: Metadata, claim: Claim): Promise<JobRow[]> {
	const rows = await tables(metadata)
		.with("due", (db) =>
			db
				.selectFrom("jobs")
				.$if(Number.isFinite(claim.perLane), (query) =>
					// A cross join is what makes SQLite begin with the few that may be taken, and not with all that are due.
					query.crossJoin(firstOfLanes(claim).as("first")).whereRef("jobs.id", "=", sql.ref("first.id")),
				)
				.select("jobs.id")
				.where("kind", "=", claim.kind)
				.where("due_at", "<=", claim.nowMs)
				.$if(claim.except.length > 0, (query) => query.where("jobs.id", "not in", padded(claim.except)))
				.$if(Number.isFinite(claim.perLane), (query) => query.orderBy(sql.ref("first.rank")))
				.orderBy("due_at")
				.orderBy("jobs.id")
				.limit(claim.limit)
				.$if(engineOf(metadata) === "postgresql", (query) => query.forUpdate("jobs").skipLocked()),
		)
		.updateTable("jobs")
		.set((query) => ({
			state: "running",
			due_at: claim.leaseUntil,
			lease: claim.lease,
			attempts: query("attempts", "+", 1),
		}))
		.where("id", "in", (query) => query.selectFrom("due").select("id"))
		.returningAll()
		.execute();
	return rows.sort((a, b) => a.id - b.id);
}

/**
 * The oldest due jobs of each lane that has room here, and those without a lane. The lanes are found by leaps from one to the
 * next, and of each only its first entries are read: a lane of which thousands wait costs no more than one of which few do.
 */
function firstOfLanes(claim: Claim): RawBuilder<number> {
	const { kind, nowMs, limit, perLane, runningLanes, perGroup } = claim;
	const running = [...Map.groupBy(runningLanes, (lane) => lane)];
	const isAmong = (lanes: readonly string[]) =>
		lanes.length === 0 ? sql`1 = 0` : sql`lanes.lane in (${sql.join(padded(lanes))})`;
	const isBusy = isAmong(running.map(([lane]) => lane));
	const isFull = (place: number) =>
		isAmong(running.filter(([, { length }]) => length + place >= perLane).map(([lane]) => lane));
	const atPlace = (place: number) => sql`
		select (
			select id from jobs where kind = ${kind} and jobs.lane = lanes.lane and due_at <= ${nowMs}
			order by due_at, id limit 1 offset ${sql.lit(place)}
		) as id, case when ${isBusy} then ${sql.lit(place + 1)} else ${sql.lit(place)} end as rank,
		substr(lanes.lane, 1, ${sql.lit(GROUP_LENGTH)}) as lane_group
		from lanes where lanes.lane is not null and not (${isFull(place)})`;
	const places = Array.from({ length: perLane }, (_, place) => atPlace(place));
	const first = sql`select * from (${sql.join(places, sql` union all `)}) as places where id is not null`;
	return sql`(
		with recursive lanes (lane) as (
			select min(lane) from jobs where kind = ${kind} and due_at is not null
			union all
			select (select min(lane) from jobs where kind = ${kind} and due_at is not null and jobs.lane > lanes.lane)
			from lanes where lanes.lane is not null
		)
		select id, 0 as rank from (
			select id from jobs where kind = ${kind} and lane is null and due_at <= ${nowMs}
			order by due_at, id limit ${limit}
		) as free
		union all
		select id, rank from (${Number.isFinite(perGroup) ? withinGroups(first, claim) : first}) as first
	)`;
}

/** Of each group of lanes as many as may run beside those that do. */
function withinGroups(first: RawBuilder<unknown>, { runningLanes, perGroup }: Claim): RawBuilder<unknown> {
	const running = [...Map.groupBy(runningLanes, (lane) => lane.slice(0, GROUP_LENGTH))];
	const counts = padded(running).map(([group, lanes]) => sql`when ${group} then ${sql.lit(lanes.length)}`);
	const busy = counts.length === 0 ? sql`0` : sql`case lane_group ${sql.join(counts, sql` `)} else 0 end`;
	return sql`
		select id, rank from (
			select id, rank, lane_group, row_number() over (partition by lane_group order by rank, id) as place from (${first}) as first
		) as placed where place <= ${sql.lit(perGroup)} - ${busy}`;
}
