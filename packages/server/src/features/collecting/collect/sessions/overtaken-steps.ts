import { AgingMap } from "./aging-map.ts";
import { isSameState, type SessionState } from "./session-state.ts";

/** How long the hits take that were on their way together. */
const TOGETHER_MS = 60_000;
const MAX_VISITORS = 10_000;

interface Step {
	readonly held: SessionState;
	readonly before: SessionState | undefined;
}

/**
 * Steps of visits that were to be undone when a later hit had changed the visit already. When that hit is undone too, what it stands on
 * is gone: the visit becomes what it was before all of them, in whatever order their hits failed.
 */
export class OvertakenSteps {
	readonly #steps = new AgingMap<number, { readonly steps: readonly Step[]; readonly at: number }>();

	/** Remembers a step that could not be undone, for a while; `now` in milliseconds from any moment. */
	note(visitor: number, step: Step, now: number): void {
		this.#steps.set(visitor, { steps: [...(this.#steps.get(visitor)?.steps ?? []), step], at: now });
		for (let oldest = this.#steps.oldest(); oldest !== undefined; oldest = this.#steps.oldest()) {
			if (this.#steps.size <= MAX_VISITORS && now - oldest[1].at < TOGETHER_MS) break;
			this.#steps.delete(oldest[0]);
		}
	}

	/** State of a visit that is to be `before` again. */
	settle(visitor: number, before: SessionState | undefined): SessionState | undefined {
		const left = new Set(this.#steps.get(visitor)?.steps);
		let state = before;
		for (;;) {
			const step = [...left].find(({ held }) => state !== undefined && isSameState(held, state));
			if (step === undefined) return state;
			left.delete(step);
			state = step.before;
		}
	}
}
