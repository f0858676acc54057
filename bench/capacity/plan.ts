import type { Values } from "./constants.ts";
import { type Deployment, oneMachine } from "./deployment.ts";
import { type Resource, resources } from "./resources.ts";
import { type Traffic, trafficOf } from "./traffic.ts";

const SPOOLS_GB = [4, 8, 16, 32, 64];
const REDIS_GB = [8, 16, 32, 64];
const NODE_CORES = [8, 16, 32];
const MOST_REPLICAS = 6;
const MOST = 1_000;

/** How far a resource is used, of what is planned with: above 1 it breaks. */
export const strain = ({ share, limit }: Resource) => share / limit;

/** The resource nearest to its limit, or furthest beyond. */
export function breaksFirst(of: Values, traffic: Traffic, deployment: Deployment): Resource {
	const [first, ...others] = resources(of, traffic, deployment);
	if (first === undefined) throw new Error("an installation has resources");
	return others.reduce((worst, other) => (strain(other) > strain(worst) ? other : worst), first);
}

/** The smallest installation that bears a traffic with one process and one machine of each kind away. */
export function planFor(of: Values, traffic: Traffic): Deployment {
	const bears = (deployment: Deployment, ...names: readonly string[]) =>
		resources(of, traffic, deployment).every(
			(resource) => strain(resource) <= 1 || !names.some((name) => resource.name.startsWith(name)),
		);
	const first = (choices: readonly Deployment[], ...names: readonly string[]) => {
		const found = choices.find((choice) => bears(choice, ...names));
		if (found === undefined) throw new Error(`nothing bears ${traffic.hitsAMonth} hits a month: ${names.join(", ")}`);
		return found;
	};
	const grown = (from: Deployment, field: keyof Deployment, least: number) =>
		Array.from({ length: MOST }, (_, index) => ({ ...from, [field]: least + index }));
	const largest = { ...oneMachine, cells: 1, redisGb: Math.max(...REDIS_GB), spoolGb: Math.max(...SPOOLS_GB) };
	let plan = first(grown(largest, "cells", 1), "Redis");
	plan = first(
		REDIS_GB.map((redisGb) => ({ ...plan, redisGb })),
		"Redis, memory",
	);
	plan = first(grown(plan, "collectors", 2), "collectors");
	plan = first(
		SPOOLS_GB.map((spoolGb) => ({ ...plan, spoolGb })),
		"collectors, spool",
	);
	plan = first(stores(plan), "event store, processor", "event store, disk");
	return first(grown(plan, "apis", 2), "API");
}

/** Event stores of at least two machines a shard, those of fewest cores first, of these those of fewest machines. */
function stores(from: Deployment): Deployment[] {
	const found: Deployment[] = [];
	for (const nodeCores of NODE_CORES) {
		for (let replicas = 2; replicas <= MOST_REPLICAS; replicas++) {
			for (let shards = 1; shards <= MOST / 10; shards++) found.push({ ...from, nodeCores, replicas, shards });
		}
	}
	const cores = ({ nodeCores, replicas, shards }: Deployment) => nodeCores * replicas * shards;
	return found.sort((a, b) => cores(a) - cores(b) || b.nodeCores - a.nodeCores);
}

/** The maximum hits a month of an installation, and the limiting resource. */
export function endOf(of: Values, deployment: Deployment): { hitsAMonth: number; first: Resource } {
	const [GROWTH, LEAST] = [1.001, 1e6];
	let hitsAMonth = LEAST;
	for (;;) {
		const first = breaksFirst(of, trafficOf(hitsAMonth * GROWTH, of), deployment);
		if (strain(first) > 1) return { hitsAMonth, first };
		hitsAMonth *= GROWTH;
	}
}

/** A step of growth, and the resource that fails without it. */
export interface LeftOut {
	readonly step: keyof Deployment;
	readonly before: number;
	readonly after: number;
	readonly breaks: Resource;
}

const steps: readonly (keyof Deployment)[] = [
	"collectors",
	"cells",
	"redisGb",
	"shards",
	"replicas",
	"nodeCores",
	"apis",
	"spoolGb",
];

/** Resources that fail if one step between two installations is skipped, the worst first. */
export function leftOut(of: Values, traffic: Traffic, before: Deployment, after: Deployment): LeftOut[] {
	return (
		steps
			// Without a Redis there is no smaller one: that is the step of the groups.
			.filter((step) => after[step] > before[step] && !(step === "redisGb" && before.cells === 0))
			.map((step) => {
				const without = { ...after, [step]: before[step] };
				return { step, before: before[step], after: after[step], breaks: breaksFirst(of, traffic, without) };
			})
			.sort((a, b) => strain(b.breaks) - strain(a.breaks))
	);
}
