import { ServiceError } from "../../errors/service-error.ts";
import type { Asker } from "../../lib/asker.ts";
import type { Clock } from "../../lib/clock.ts";

/** A question that waits or runs. */
export interface Turn {
	/** `clock.monotonic()` when it was asked. */
	readonly since: number;
	/** Absent for the service's own work, which only the number of places holds back. */
	readonly asker: Asker | undefined;
	startedAt: number | undefined;
	/** It runs on one thread: its tenant had much of the engine lately, and others are there. */
	isModest: boolean;
	/** Questions of its tenant that ran or waited when it began. */
	besides: number;
	readonly end: AbortController;
}

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

const OWN = "the service itself";

const idOf = ({ asker }: Turn): string => asker?.id ?? OWN;

const tenantOf = ({ asker }: Turn): string => asker?.tenant ?? OWN;

/** Somebody looks at a screen meanwhile. */
export const isInteractive = ({ asker }: Turn): boolean => asker?.kind === "interactive";

function count(turns: Iterable<Turn>, isCounted: (turn: Turn) => boolean): number {
	let found = 0;
	for (const turn of turns) if (isCounted(turn)) found++;
	return found;
}

/** After these milliseconds half of what was used counts. */
const HALF_LIFE_MS = 10_000;
/** Names beyond this many are looked through for those that no longer matter. */
const SWEEP_ABOVE = 1000;
const NEGLIGIBLE_MS = 1;

type EngineUse = ReturnType<typeof createEngineUse>;

/** How much of the engine's time each name had lately: sums of milliseconds that fade by half every ten seconds. */
function createEngineUse() {
	const used = new Map<string, { ms: number; at: number }>();
	const of = (name: string, now: number) => {
		const known = used.get(name);
		return known === undefined ? 0 : known.ms * 2 ** ((known.at - now) / HALF_LIFE_MS);
	};
	return {
		of,
		ofOthers(name: string, now: number) {
			let most = 0;
			for (const other of used.keys()) if (other !== name) most = Math.max(most, of(other, now));
			return most;
		},
		add(name: string, ms: number, now: number) {
			used.set(name, { ms: of(name, now) + ms, at: now });
			if (used.size <= SWEEP_ABOVE) return;
			for (const other of used.keys()) if (of(other, now) < NEGLIGIBLE_MS) used.delete(other);
		},
	};
}

/** Engine time of a tenant, fading, from which it counts as busy. */
const BUSY_MS = 1000;
/** Engine time of other tenants, fading, from which they count as present. */
const PRESENT_MS = 1;
/** A background question that has waited so long counts as any other. */
const PATIENT_MS = 2000;

/** Waiting and running queries, and recent engine time, at one moment. */
interface Standing {
	readonly waiting: Iterable<Turn>;
	readonly running: ReadonlySet<Turn>;
	readonly ofTenants: EngineUse;
	readonly ofAskers: EngineUse;
	readonly now: number;
}

/** The next query to run: interactive ones first, then the tenant and the caller with the least recent engine time, then the oldest. */
function chooseTurn(limits: TurnLimits, standing: Standing): Turn | undefined {
	if (standing.running.size >= limits.places) return undefined;
	let best: { readonly turn: Turn; readonly rank: readonly number[] } | undefined;
	for (const turn of standing.waiting) {
		if (!mayRun(turn, limits, standing)) continue;
		const rank = rankOf(turn, standing);
		if (best === undefined || comesBefore(rank, best.rank)) best = { turn, rank };
	}
	return best?.turn;
}

/** True when the question's tenant keeps the engine busy while another one, who looks at a screen, asks too. */
function isModest(turn: Turn, standing: Standing): boolean {
	const { ofTenants, now } = standing;
	const tenant = tenantOf(turn);
	return isBusy(turn, standing) && ofTenants.ofOthers(tenant, now) > PRESENT_MS;
}

const isBusy = (turn: Turn, standing: Standing) =>
	turn.asker !== undefined && tenantMs(tenantOf(turn), standing) > BUSY_MS;

function mayRun(turn: Turn, limits: TurnLimits, standing: Standing): boolean {
	if (turn.asker === undefined) return true;
	const { running } = standing;
	return (
		count(running, ({ asker }) => asker !== undefined) < limits.ofAskers &&
		count(running, (other) => tenantOf(other) === tenantOf(turn)) < limits.ofTenant &&
		count(running, (other) => idOf(other) === idOf(turn)) < limits.ofAsker &&
		(!isBusy(turn, standing) || count(running, (other) => isBusy(other, standing)) < limits.ofBusyTenants)
	);
}

function rankOf(turn: Turn, standing: Standing): readonly number[] {
	const { now, ofAskers } = standing;
	const isLater = !isInteractive(turn) && now - turn.since < PATIENT_MS;
	return [isLater ? 1 : 0, tenantMs(tenantOf(turn), standing), ofAskers.of(idOf(turn), now), turn.since];
}

/** A running query counts from its start. */
function tenantMs(tenant: string, { running, ofTenants, now }: Standing): number {
	let ms = ofTenants.of(tenant, now);
	for (const turn of running) if (tenantOf(turn) === tenant) ms += now - (turn.startedAt ?? now);
	return ms;
}

/** The first difference decides. */
function comesBefore(a: readonly number[], b: readonly number[]): boolean {
	for (const [at, value] of a.entries()) {
		const other = b[at] ?? 0;
		if (value !== other) return value < other;
	}
	return false;
}

const RETRY_AFTER_SECONDS = 5;

/** Fair order for limited places. */
export type Turns = ReturnType<typeof createTurns>;

/** Places that are given in the order of `chooseTurn`. */
export function createTurns(limits: TurnLimits, clock: Pick<Clock, "monotonic">) {
	const ofTenants = createEngineUse();
	const ofAskers = createEngineUse();
	const running = new Set<Turn>();
	const waiting = new Map<Turn, () => void>();

	const standing = () => ({ waiting: waiting.keys(), running, ofTenants, ofAskers, now: clock.monotonic() });
	const next = () => chooseTurn(limits, standing());
	const fill = () => {
		for (let turn = next(); turn !== undefined; turn = next()) {
			const begin = waiting.get(turn);
			waiting.delete(turn);
			turn.isModest = isModest(turn, standing());
			const isOfTenant = (other: Turn) => tenantOf(other) === tenantOf(turn);
			turn.besides = count(running, isOfTenant) + count(waiting.keys(), isOfTenant);
			turn.startedAt = clock.monotonic();
			running.add(turn);
			begin?.();
		}
	};

	return {
		/** `begun` resolves when the question may run, and rejects by its `end`. Throws `service_unavailable` when too many interactive ones wait. */
		enter(asker: Asker | undefined) {
			const turn: Turn = {
				since: clock.monotonic(),
				asker,
				startedAt: undefined,
				isModest: false,
				besides: 0,
				end: new AbortController(),
			};
			const { promise: begun, resolve, reject } = Promise.withResolvers<void>();
			waiting.set(turn, resolve);
			fill();
			if (waiting.has(turn) && !isRoomFor(turn, waiting.keys(), limits)) {
				waiting.delete(turn);
				throw tooMany();
			}
			const giveUp = () => {
				if (waiting.delete(turn)) reject(turn.end.signal.reason);
			};
			turn.end.signal.addEventListener("abort", giveUp, { once: true });
			return { turn, begun };
		},
		leave(turn: Turn) {
			if (!running.delete(turn)) return;
			const at = clock.monotonic();
			const ms = at - (turn.startedAt ?? at);
			if (turn.asker !== undefined) {
				ofTenants.add(tenantOf(turn), ms, at);
				ofAskers.add(idOf(turn), ms, at);
			}
			fill();
		},
		*all() {
			yield* waiting.keys();
			yield* running;
		},
	};
}

/** Background work is never refused, as no client would retry it. */
function isRoomFor(turn: Turn, waiting: Iterable<Turn>, limits: TurnLimits): boolean {
	if (!isInteractive(turn)) return true;
	const others = [...waiting].filter(isInteractive);
	return (
		others.length <= limits.waiting &&
		count(others, (other) => tenantOf(other) === tenantOf(turn)) <= limits.waitingOfTenant &&
		count(others, (other) => idOf(other) === idOf(turn)) <= limits.waitingOfAsker
	);
}

const tooMany = () =>
	new ServiceError("service_unavailable", {
		message: "Too many questions wait for the event store",
		retryAfter: RETRY_AFTER_SECONDS,
		isOurs: false,
	});
