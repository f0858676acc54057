/** Components of an installation; each field is a step of growth. */
export interface Deployment {
	/** Processes with the role `collect`. */
	readonly collectors: number;
	/** Groups of collectors, each with a Redis of its own; 0 = visits in the collectors' memory. */
	readonly cells: number;
	/** Gigabytes of memory of each Redis. */
	readonly redisGb: number;
	readonly shards: number;
	/** Machines a shard, all with the same rows. */
	readonly replicas: number;
	/** Cores of each machine of the event store. */
	readonly nodeCores: number;
	/** Processes with the role `api`. */
	readonly apis: number;
	/** Gigabytes, `SPOOL_MAX_BYTES` of each collector. */
	readonly spoolGb: number;
}

/** One machine with the embedded stores, as it is installed. */
export const oneMachine: Deployment = {
	collectors: 1,
	cells: 0,
	redisGb: 0,
	shards: 1,
	replicas: 1,
	nodeCores: 4,
	apis: 1,
	spoolGb: 4,
};

/** Of several, one may be away. */
export const withoutOne = (count: number) => Math.max(1, count - 1);
