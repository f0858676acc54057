import { ServiceError } from "../../errors/service-error.ts";
import type { Asker } from "../../lib/asker.ts";
import { createEngineUse } from "./engine-use.ts";

/** How many questions may run at a time, and wait. */
export interface TurnLimits {
	readonly places: number;
	/** Of all askers together; the other places are for the service's own work. */
	readonly ofAskers: number;
	readonly ofTenant: number;
	readonly ofAsker: number;
	/** Of all tenants together that had much of the engine lately; the other places are for those who had little. */
	readonly ofBusyTenants: number;
	readonly waiting: number;
	readonly waitingOfTenant: number;
	readonly waitingOfAsker: number;
}

/** Engine time of a tenant, fading, from which it counts as busy. */
const BUSY_MS = 1000;
/** A background question that has waited so long counts as any other. */
const PATIENT_MS = 2000;
const RETRY_AFTER_SECONDS = 5;

/** A question that waits or runs. */
export interface Turn {
	/** `performance.now()` when it was asked. */
	readonly since: number;
	/** Absent for the service's own work, which only the number of places holds back. */
	readonly asker: Asker | undefined;
	/** When it began to run; undefined while it waits. */
	startedAt: number | undefined;
	/** Ends the question wherever it stands. */
	readonly end: AbortController;
}

/** Whose turn it is on places that many want. */
export interface Turns {
	/** Resolves when the question may run; rejects with the reason of its `end`. Throws `service_unavailable` when too many of those wait who look at a screen. */
	enter(asker: Asker | undefined): { readonly turn: Turn; readonly begun: Promise<void> };
	/** Gives the place of a question that has ended to the next. */
	leave(turn: Turn): void;
	/** Everything that waits or runs. */
	all(): Iterable<Turn>;
}

const OWN = "the service itself";
const idOf = ({ asker }: Turn) => asker?.id ?? OWN;
const tenantOf = ({ asker }: Turn) => asker?.tenant ?? OWN;

/**
 * Places in turn: who looks at a screen comes before background work, then the tenant that had least of the engine
 * lately, then its asker who had least, then who came first.
 */
export function createTurns(limits: TurnLimits, now: () => number = () => performance.now()): Turns {
	const ofTenants = createEngineUse();
	const ofAskers = createEngineUse();
	const running = new Set<Turn>();
	const waiting = new Map<Turn, () => void>();

	const runningMs = (turns: Iterable<Turn>, at: number) => {
		let ms = 0;
		for (const { startedAt = at } of turns) ms += at - startedAt;
		return ms;
	};
	const runningOf = (tenant: string) => [...running].filter((turn) => tenantOf(turn) === tenant);
	const tenantMs = (tenant: string, at: number) => ofTenants.of(tenant, at) + runningMs(runningOf(tenant), at);
	const isBusy = (turn: Turn, at: number) => turn.asker !== undefined && tenantMs(tenantOf(turn), at) > BUSY_MS;

	const mayRun = (turn: Turn, at: number): boolean => {
		if (running.size >= limits.places) return false;
		if (turn.asker === undefined) return true;
		if ([...running].filter((other) => other.asker !== undefined).length >= limits.ofAskers) return false;
		const ofTenant = runningOf(tenantOf(turn));
		if (ofTenant.length >= limits.ofTenant) return false;
		if (ofTenant.filter((other) => idOf(other) === idOf(turn)).length >= limits.ofAsker) return false;
		return !isBusy(turn, at) || [...running].filter((other) => isBusy(other, at)).length < limits.ofBusyTenants;
	};
	const rankOf = (turn: Turn, at: number) => {
		const isLater = turn.asker?.kind !== "interactive" && at - turn.since < PATIENT_MS;
		return [isLater ? 1 : 0, tenantMs(tenantOf(turn), at), ofAskers.of(idOf(turn), at), turn.since] as const;
	};
	const next = (at: number): Turn | undefined => {
		let best: { readonly turn: Turn; readonly rank: readonly number[] } | undefined;
		for (const turn of waiting.keys()) {
			if (!mayRun(turn, at)) continue;
			const rank = rankOf(turn, at);
			if (best === undefined || comesBefore(rank, best.rank)) best = { turn, rank };
		}
		return best?.turn;
	};
	const fill = () => {
		const at = now();
		for (let turn = next(at); turn !== undefined; turn = next(at)) {
			const begin = waiting.get(turn);
			waiting.delete(turn);
			turn.startedAt = at;
			running.add(turn);
			begin?.();
		}
	};
	const refuseTooMany = (turn: Turn) => {
		if (turn.asker?.kind !== "interactive" || !waiting.has(turn)) return;
		const all = [...waiting.keys()].filter((other) => other.asker?.kind === "interactive");
		const ofTenant = all.filter((other) => tenantOf(other) === tenantOf(turn));
		const ofAsker = ofTenant.filter((other) => idOf(other) === idOf(turn));
		const isRoom =
			all.length <= limits.waiting &&
			ofTenant.length <= limits.waitingOfTenant &&
			ofAsker.length <= limits.waitingOfAsker;
		if (isRoom) return;
		waiting.delete(turn);
		const message = "Too many questions wait for the event store";
		throw new ServiceError("service_unavailable", { message, retryAfter: RETRY_AFTER_SECONDS });
	};

	return {
		enter(asker) {
			const turn: Turn = { since: now(), asker, startedAt: undefined, end: new AbortController() };
			const begun = new Promise<void>((resolve, reject) => {
				waiting.set(turn, resolve);
				const giveUp = () => {
					if (waiting.delete(turn)) reject(turn.end.signal.reason);
				};
				turn.end.signal.addEventListener("abort", giveUp, { once: true });
			});
			fill();
			refuseTooMany(turn);
			return { turn, begun };
		},
		leave(turn) {
			if (!running.delete(turn)) return;
			const at = now();
			const ms = at - (turn.startedAt ?? at);
			ofTenants.add(tenantOf(turn), ms, at);
			ofAskers.add(idOf(turn), ms, at);
			fill();
		},
		*all() {
			yield* waiting.keys();
			yield* running;
		},
	};
}

/** The first difference decides. */
function comesBefore(a: readonly number[], b: readonly number[]): boolean {
	for (const [at, value] of a.entries()) {
		const other = b[at] ?? 0;
		if (value !== other) return value < other;
	}
	return false;
}
