import type { Values } from "./constants.ts";
import type { Deployment } from "./deployment.ts";

/** Prices, in any currency. */
export interface Prices {
	/** An hour of a core with the memory that comes with it. */
	readonly coreHour: number;
	/** A month of a gigabyte of memory of Redis. */
	readonly memoryGbMonth: number;
	/** A month of a terabyte of fast disk. */
	readonly diskTbMonth: number;
}

/** Assumed, to compare sizes with; put your own in. */
export const examplePrices: Prices = { coreHour: 0.04, memoryGbMonth: 3, diskTbMonth: 80 };

const HOURS = 720;
const [COLLECTOR_CORES, API_CORES, REDIS_CORES] = [2, 2, 2];
/** Two processes with the role `jobs`, PostgreSQL twice, three machines of Keeper, a balancer twice. */
const OTHER_CORES = 2 * 2 + 2 * 4 + 3 * 2 + 2 * 4;
/** PostgreSQL and Keeper. */
const OTHER_DISK_TB = 0.5;

/** Needs of an installation in a month. */
export interface Cost {
	readonly cores: number;
	readonly coreHours: number;
	readonly redisGb: number;
	readonly diskTb: number;
	readonly price: number;
}

/** Cores, memory and disk of a month, and their price; each Redis stands twice, for one of them may be away. */
export function costOf(of: Values, deployment: Deployment, prices: Prices): Cost {
	const { collectors, cells, redisGb, shards, replicas, nodeCores, apis, spoolGb } = deployment;
	const storeCores = shards * replicas * nodeCores;
	const cores = collectors * COLLECTOR_CORES + apis * API_CORES + 2 * cells * REDIS_CORES + storeCores + OTHER_CORES;
	const memory = 2 * cells * redisGb;
	const diskTb = storeCores * of.diskACore + (collectors * spoolGb) / 1000 + OTHER_DISK_TB;
	const coreHours = cores * HOURS;
	const price = coreHours * prices.coreHour + memory * prices.memoryGbMonth + diskTb * prices.diskTbMonth;
	return { cores, coreHours, redisGb: memory, diskTb, price };
}
