import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isCollectRequest, refuseHits } from "../features/collecting/collect/index.ts";
import { isWhole, type Role } from "../platform/config/roles.ts";
import type { ReadyConfig } from "../platform/config/secret-key.ts";
import type { ServedPart } from "../platform/http/create-http-app.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import type { Collecting } from "./collector.ts";

/** A service that pauses writes to its stores but still accepts hits. */
export type HeldService = ReturnType<typeof holdService>;

const READING: ReadonlySet<string | undefined> = new Set(["GET", "HEAD", "OPTIONS"]);
const RETRY_AFTER_S = "5";
const MESSAGE = "The service is about to move to other stores, and answers again in a moment; hits are taken meanwhile";

/** Stands before the application: while it is shut, requests are answered that they may come again soon. */
export function createGate() {
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
		/** Takes a request when it is shut; answers true when it took it. */
		intercept: (request: IncomingMessage, response: ServerResponse): boolean => {
			const path = request.url?.split("?", 1)[0] ?? "/";
			if (OF_ALL.has(path) || OF_COLLECTORS.has(path)) return false;
			if (shut !== undefined) {
				refuse(request, response);
				return true;
			}
			if (!READING.has(request.method)) follow(response);
			return false;
		},
		/** Resolves when the requests that may write have been answered. */
		shut: (): Promise<void> => {
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
	readonly gate: ReturnType<typeof createGate>;
	readonly jobs: Pick<Jobs, "hold">;
	readonly collecting: Collecting | undefined;
}

/** Has a service change nothing any more: first requests and jobs, then what hits bring. */
export function holdService({ gate, jobs, collecting }: HoldingDeps) {
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
		/** Resolves when nothing is under way any more that writes to the stores. */
		isStill: bringToRest(),
		resume: () => {
			isOver = true;
			for (const work of undo.toReversed()) work();
		},
	};
}

/** Routes of every process. */
const OF_ALL: ReadonlySet<string> = new Set(["/livez", "/readyz", "/health", "/metrics"]);
/** Routes for pages of sites, beside `/event`. */
const OF_COLLECTORS: ReadonlySet<string> = new Set(["/t.js"]);

/** Routes that a process with these roles serves; undefined for all. */
export function servedPart(config: Pick<ReadyConfig, "roles">): ServedPart | undefined {
	if (isWhole(config)) return undefined;
	const has = (role: Role) => config.roles.includes(role);
	return {
		has: (path) => OF_ALL.has(path) || has(OF_COLLECTORS.has(path) ? "collect" : "api"),
		refusal: `This process has only the roles ${config.roles.join(", ")} (ROLES): another one serves this address`,
	};
}

/** Refuses hits in a process without a collector, so that no client believes them stored. */
export function refusingHits(request: IncomingMessage, response: ServerResponse): boolean {
	if (!isCollectRequest(request)) return false;
	refuseHits(request, response, "This process does not collect (ROLES): send hits to one that does");
	return true;
}
