import { ServiceError } from "../../errors/service-error.ts";
import type { Asker } from "../../lib/asker.ts";
import type { Clock } from "../../lib/clock.ts";
import { chooseTurn, isModest } from "./choose-turn.ts";
import { createEngineUse } from "./engine-use.ts";
import { count, idOf, isInteractive, type Turn, type TurnLimits, tenantOf } from "./turn.ts";

const RETRY_AFTER_SECONDS = 5;

/** Fair order for limited places. */
export interface Turns {
	/** `begun` resolves when the question may run and rejects with the reason of its `end`. Throws `service_unavailable` when too many of those wait who look at a screen. */
	enter(asker: Asker | undefined): { readonly turn: Turn; readonly begun: Promise<void> };
	/** Gives the place of a question that has ended to the next. */
	leave(turn: Turn): void;
	/** Everything that waits or runs. */
	all(): Iterable<Turn>;
}

/** Places that are given in the order of `chooseTurn`. */
export function createTurns(limits: TurnLimits, clock: Pick<Clock, "monotonic">): Turns {
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
		enter(asker) {
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
		leave(turn) {
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
