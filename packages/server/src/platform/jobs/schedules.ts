import { Cron } from "croner";
import { MINUTE_MS } from "../lib/durations.ts";
import type { Metadata } from "../metadata/metadata.ts";
import type { Jobs, KnownSchedule } from "./jobs.ts";
import { hasWaitingJob, insertJobs, insertSchedule, moveSchedule, selectLastEnd, selectSchedule } from "./store.ts";

/** A clock that is set back by more than this makes schedules start again from there. */
const CLOCK_TOLERANCE_MS = 5 * MINUTE_MS;

interface Schedule {
	readonly name: string;
	readonly expression: string;
	/** State in the store, and the next tick; undefined until it was read. */
	position?: { readonly countedUntil: number; readonly nextAt: number };
}

/** Turns the ticks of schedules into jobs: one process makes each job, and ticks that were missed while none ran become one. */
export class Schedules {
	readonly #metadata: Metadata;
	readonly #schedules: Schedule[] = [];
	#lastNow = 0;

	constructor(metadata: Metadata) {
		this.#metadata = metadata;
	}

	/** Cron expressions are in UTC. Throws when it is not one. */
	add(name: string, expression: string): void {
		parseCron(expression);
		this.#schedules.push({ name, expression });
	}

	get known(): readonly KnownSchedule[] {
		return this.#schedules.map(({ name, expression }) => ({ name, cron: expression }));
	}

	/** Makes jobs of the ticks up to a moment; asks the store only when there is one. */
	async enqueueDue(nowMs: number): Promise<void> {
		const wasSetBack = nowMs < this.#lastNow - CLOCK_TOLERANCE_MS;
		this.#lastNow = nowMs;
		for (const schedule of this.#schedules) {
			if (schedule.position === undefined || wasSetBack) await this.#read(schedule, nowMs);
			if (schedule.position !== undefined && schedule.position.nextAt <= nowMs) await this.#tick(schedule, nowMs);
		}
	}

	async #read(schedule: Schedule, nowMs: number): Promise<void> {
		const { name } = schedule;
		const stored = await selectSchedule(this.#metadata, name);
		if (stored === undefined) await insertSchedule(this.#metadata, name, nowMs);
		const isAhead = stored !== undefined && stored > nowMs + CLOCK_TOLERANCE_MS;
		if (isAhead) await moveSchedule(this.#metadata, { name, from: stored, to: nowMs });
		moveTo(schedule, isAhead ? nowMs : (stored ?? nowMs));
	}

	async #tick(schedule: Schedule, nowMs: number): Promise<void> {
		const { name, position } = schedule;
		if (position === undefined) return;
		const isOurs = await this.#metadata.transaction().execute(async (trx) => {
			if (!(await moveSchedule(trx, { name, from: position.countedUntil, to: nowMs }))) return false;
			// A tick while the last one still waits would only be the same work twice.
			if (await hasWaitingJob(trx, name)) return true;
			const job = { kind: name, payload: "null", unique_key: null, lane: null, due_at: nowMs, created_at: nowMs };
			await insertJobs(trx, [job]);
			return true;
		});
		if (isOurs) moveTo(schedule, nowMs);
		else await this.#read(schedule, nowMs);
	}
}

// Created for each tick: an instance holds 80 KB.
const parseCron = (expression: string) => new Cron(expression, { timezone: "UTC", paused: true });

/** The first tick of a cron expression (UTC) behind a moment; infinite when there is none. */
export const nextTick = (expression: string, afterMs: number): number =>
	parseCron(expression).nextRun(new Date(afterMs))?.getTime() ?? Number.POSITIVE_INFINITY;

function moveTo(schedule: Schedule, countedUntil: number): void {
	schedule.position = { countedUntil, nextAt: nextTick(schedule.expression, countedUntil) };
}

/** Every schedule of the service, in the order in which they were made known, with its last known run: done ones are known for a day, given-up ones for thirty. */
export async function describeSchedules(metadata: Metadata, { schedules }: Pick<Jobs, "schedules">, nowMs: number) {
	const states = [];
	for (const { name, cron } of schedules) {
		const countedUntil = await selectSchedule(metadata, name);
		const nextAt = nextTick(cron, countedUntil ?? nowMs);
		const last = await selectLastEnd(metadata, name);
		states.push({ name, cron, last, nextAt: Number.isFinite(nextAt) ? nextAt : undefined });
	}
	return states;
}
