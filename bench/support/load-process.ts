// A process that sends prebuilt hits over keep-alive connections as fast as they are answered, and reports by IPC.
import { Histogram } from "./histogram.ts";
import { buildRequests, type HitTarget } from "./hits.ts";
import { openLoadConnection } from "./load-connection.ts";

/** What to send. */
export interface LoadPlan {
	readonly target: HitTarget;
	readonly port: number;
	readonly connections: number;
	readonly seconds: number;
	/** Distinct requests, sent in turn. */
	readonly requests: number;
	readonly visitors: number;
}

/** What came back. */
export interface LoadResult {
	/** Answers 204. */
	readonly acknowledged: number;
	/** Other answers and broken connections. */
	readonly failed: number;
	readonly seconds: number;
	readonly p50: number;
	readonly p95: number;
	readonly p99: number;
}

async function run(plan: LoadPlan, requests: readonly Buffer[]): Promise<LoadResult> {
	const latencies = new Histogram();
	let [acknowledged, failed, sent, open] = [0, 0, 0, plan.connections];
	const began = performance.now();
	const until = began + plan.seconds * 1000;
	await new Promise<void>((resolve) => {
		const leave = () => {
			if (--open === 0) resolve();
		};
		const handlers = {
			next: () => (performance.now() < until ? requests[sent++ % requests.length] : undefined),
			answered: (status: number, ms: number) => {
				latencies.add(ms);
				if (status === 204) acknowledged++;
				else failed++;
			},
			broke: () => {
				failed++;
				leave();
			},
			ended: leave,
		};
		for (let index = 0; index < plan.connections; index++) openLoadConnection(plan.port, handlers);
	});
	const [p50, p95, p99] = [0.5, 0.95, 0.99].map((q) => latencies.quantile(q));
	const seconds = (performance.now() - began) / 1000;
	return { acknowledged, failed, seconds, p50: p50 ?? 0, p95: p95 ?? 0, p99: p99 ?? 0 };
}

const tell = (message: LoadResult | "ready") => process.send?.(message);

process.once("message", (plan: LoadPlan) => {
	const requests = buildRequests(plan.target, plan.requests, plan.visitors);
	process.once("message", async () => {
		tell(await run(plan, requests));
		process.disconnect?.();
	});
	tell("ready");
});
