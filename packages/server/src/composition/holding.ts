import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Jobs } from "../platform/jobs/jobs.ts";
import type { Collecting } from "./collector.ts";
import { isOfAll, isOfCollectors } from "./served-part.ts";

/** A service that pauses writes to its stores but still accepts hits. */
export interface HeldService {
	/** Resolves when nothing is under way any more that writes to the stores. */
	readonly isStill: Promise<void>;
	/** Lets it go on as before. */
	resume(): void;
}

/** Stands before the application: while it is shut, requests are answered that they may come again soon. */
export interface Gate {
	/** Takes a request when it is shut; answers true when it took it. */
	intercept(request: IncomingMessage, response: ServerResponse): boolean;
	/** Resolves when the requests that may write have been answered. */
	shut(): Promise<void>;
	open(): void;
}

const READING: ReadonlySet<string | undefined> = new Set(["GET", "HEAD", "OPTIONS"]);
const RETRY_AFTER_S = "5";
const MESSAGE = "The service is about to move to other stores, and answers again in a moment; hits are taken meanwhile";

/** An open gate. */
export function createGate(): Gate {
	let shut: { readonly isEmpty: () => void } | undefined;
	let writing = 0;
	const follow = (response: ServerResponse) => {
		writing++;
		response.once("close", () => {
			writing--;
			if (writing === 0) shut?.isEmpty();
		});
	};
	return {
		intercept: (request, response) => {
			const path = request.url?.split("?", 1)[0] ?? "/";
			if (isOfAll(path) || isOfCollectors(path)) return false;
			if (shut !== undefined) {
				refuse(request, response);
				return true;
			}
			if (!READING.has(request.method)) follow(response);
			return false;
		},
		shut: () => {
			const { promise, resolve } = Promise.withResolvers<void>();
			shut = { isEmpty: resolve };
			if (writing === 0) resolve();
			return promise;
		},
		open: () => {
			shut = undefined;
		},
	};
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
	request.resume();
	const requestId = randomUUID();
	response
		.writeHead(503, {
			"Content-Type": "application/json",
			"Retry-After": RETRY_AFTER_S,
			"Cache-Control": "no-store",
			"X-Request-ID": requestId,
		})
		.end(JSON.stringify({ error: { code: "service_unavailable", message: MESSAGE }, request_id: requestId }));
}

interface HoldingDeps {
	readonly gate: Gate;
	readonly jobs: Pick<Jobs, "hold">;
	readonly collecting: Collecting | undefined;
}

/** Has a service change nothing any more: first requests and jobs, then what hits bring. */
export function holdService({ gate, jobs, collecting }: HoldingDeps): HeldService {
	const undo: (() => void)[] = [() => gate.open()];
	let isOver = false;
	const onResume = (work: () => void) => (isOver ? work() : void undo.push(work));
	const bringToRest = async () => {
		await gate.shut();
		onResume(await jobs.hold());
		const loader = collecting?.collector.hold();
		onResume(() => loader?.resume());
		await loader?.isStill;
	};
	return {
		isStill: bringToRest(),
		resume: () => {
			isOver = true;
			for (const work of undo.toReversed()) work();
		},
	};
}
