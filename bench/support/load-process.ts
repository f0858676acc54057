// A process that sends prebuilt hits over keep-alive connections as fast as they are answered, in turns, and reports by IPC.
import { Histogram } from "./histogram.ts";
import { buildRequests, type HitTarget } from "./hits.ts";
import { openLoadConnection } from "./load-connection.ts";

/** Input of a load process. */
export interface LoadPlan {
	readonly target: HitTarget;
	readonly port: number;
	readonly connections: number;
	/** Distinct requests, sent in turn. */
	readonly requests: number;
	readonly visitors: number;
}

/** Answers in all turns so far. */
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

class Sender {
	readonly #plan: LoadPlan;
	readonly #requests: readonly Buffer[];
	readonly #latencies = new Histogram();
	#acknowledged = 0;
	#failed = 0;
	#sent = 0;
	#seconds = 0;

	constructor(plan: LoadPlan) {
		this.#plan = plan;
		this.#requests = buildRequests(plan.target, plan.requests, plan.visitors);
	}

	async turn(seconds: number): Promise<LoadResult> {
		const began = performance.now();
		const until = began + seconds * 1000;
		let open = this.#plan.connections;
		await new Promise<void>((resolve) => {
			const leave = () => {
				if (--open === 0) resolve();
			};
			const handlers = {
				next: () => (performance.now() < until ? this.#next() : undefined),
				answered: (status: number, ms: number) => {
					this.#latencies.add(ms);
					if (status === 204) this.#acknowledged++;
					else this.#failed++;
				},
				broke: () => {
					this.#failed++;
					leave();
				},
				ended: leave,
			};
			for (let index = 0; index < this.#plan.connections; index++) openLoadConnection(this.#plan.port, handlers);
		});
		this.#seconds += (performance.now() - began) / 1000;
		return this.#result();
	}

	#next(): Buffer | undefined {
		return this.#requests[this.#sent++ % this.#requests.length];
	}

	#result(): LoadResult {
		const [p50 = 0, p95 = 0, p99 = 0] = [0.5, 0.95, 0.99].map((q) => this.#latencies.quantile(q));
		return { acknowledged: this.#acknowledged, failed: this.#failed, seconds: this.#seconds, p50, p95, p99 };
	}
}

const tell = (message: LoadResult | "ready") => process.send?.(message);

process.once("message", (plan: LoadPlan) => {
	const sender = new Sender(plan);
	process.on("message", async (seconds: number) => tell(await sender.turn(seconds)));
	tell("ready");
});
