import type { Metadata } from "../metadata/metadata.ts";

/** Something that is written together with the end of a job. */
export type EndWrite = (trx: Metadata) => Promise<void>;

/** Context of a handler with the job, and a way to end it. */
export interface JobContext {
	readonly id: number;
	/** 1 for the first attempt. */
	readonly attempt: number;
	/** Aborts when the service closes, or when another process has taken the job over. */
	readonly signal: AbortSignal;
	/**
	 * Adds a write to the transaction that records the job as done: both happen or neither, and neither if another
	 * process has taken the job over. Several jobs share a transaction, so that a busy queue waits less for the disk; a
	 * failed one is repeated alone, so the write may change nothing but the store.
	 */
	endWith(write: EndWrite): void;
}

/** Runs one job. It may be called again for a completed job, so it must be idempotent. */
export type JobHandler<Payload> = (payload: Payload, context: JobContext) => Promise<void>;

/** The length of a UUID: so much of a lane names its group. */
export const GROUP_LENGTH = 36;

/** How the jobs of a kind are done. */
export interface JobOptions<Payload = unknown> {
	/** After so many failed attempts a job is given up; 8 when absent. */
	readonly maxAttempts?: number;
	/** Milliseconds after which another process takes over what this one has left; a working job lengthens them. */
	readonly leaseMs?: number;
	/** Jobs of the kind that this process does at once; 4 when absent. */
	readonly concurrency?: number;
	/** Jobs of one lane that this process does at once, so that a receiver that hangs holds up no other; no limit when absent. */
	readonly perLane?: number;
	/** Jobs of all lanes with the same first `GROUP_LENGTH` characters, such as an organization's id, at once; no limit when absent. Only with `perLane`. */
	readonly perGroup?: number;
	/** Told in the transaction that gives a job up, also when each attempt ended its process. */
	readonly onGivenUp?: (trx: Metadata, payload: Payload) => Promise<void>;
}

/** How the jobs of one kind are done. */
export interface JobKind extends Required<Omit<JobOptions, "onGivenUp">>, Pick<JobOptions, "onGivenUp"> {
	readonly handler: JobHandler<unknown>;
}

/** Work to be done later. */
export interface NewJob {
	readonly kind: string;
	/** Anything that JSON can hold. */
	readonly payload?: unknown;
	/** Milliseconds since the epoch; at once when absent. */
	readonly runAt?: number;
	/** A kind has one job with a key, and knows it for a day after it was done (30 days if given up). */
	readonly uniqueKey?: string;
	/** Whom or what the job is for, where its kind has `perLane`. */
	readonly lane?: string;
}

/** Names a job by its key. */
export type KeyedJob = Required<Pick<NewJob, "kind" | "uniqueKey">>;

/** Something that is done again and again, and the cron expression (UTC) that says when. */
export interface KnownSchedule {
	readonly name: string;
	readonly cron: string;
}

/** The durable queue of the service and its schedules. Each job is done at least once. */
export interface Jobs {
	/** Says how the jobs of a kind are done. */
	register<Payload>(kind: string, handler: JobHandler<Payload>, options?: JobOptions<Payload>): void;
	/** Does something at the times of a cron expression (UTC), in one process only; missed times are made up for once. */
	schedule(name: string, cron: string, handler: (context: JobContext) => Promise<void>): void;
	/** Schedules in the order of registration. */
	readonly schedules: readonly KnownSchedule[];
	/** Stores a job with the change that it belongs to: it exists if the transaction commits. False when its key is known. */
	enqueue(trx: Metadata, job: NewJob): Promise<boolean>;
	/** Stores several at once, those excepted whose key is known; answers how many were stored. */
	enqueueAll(trx: Metadata, jobs: readonly NewJob[]): Promise<number>;
	/** Withdraws a pending job; a running or ended one stays. */
	withdraw(trx: Metadata, job: KeyedJob): Promise<void>;
	start(): void;
	/** Does everything that is due by the clock until nothing is left: for tests. */
	runDue(): Promise<void>;
	/** Takes no more jobs and asks running ones to stop until released; resolves when none runs. An interrupted attempt does not count. */
	hold(): Promise<() => void>;
	/** Takes no more jobs, asks running ones to stop, and waits for some seconds. Unfinished jobs are repeated later. */
	close(): Promise<void>;
}
