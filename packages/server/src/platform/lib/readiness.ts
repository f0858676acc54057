import type { Clock } from "./clock.ts";

const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 5000;

/** Something that may take its time, such as a server that is away when the service starts. */
export interface Readiness {
	readonly isReady: boolean;
	/** Resolves when it is ready; never rejects. */
	readonly whenReady: Promise<void>;
}

/** A readiness that is always fulfilled. */
export const ready: Readiness = { isReady: true, whenReady: Promise.resolve() };

/** Attempts that go on until one succeeds. */
export interface Attempts extends Readiness {
	/** Ends them after the one that runs. */
	stop(): void;
}

/** Repeats an attempt until it succeeds, at growing intervals up to five seconds. `onFailure` is called for each new reason. */
export function keepTrying(clock: Clock, attempt: () => Promise<void>, onFailure: (error: Error) => void): Attempts {
	const { promise: whenReady, resolve } = Promise.withResolvers<void>();
	const stopping = new AbortController();
	let isReady = false;
	const tryAll = async () => {
		let told = "";
		for (let wait = FIRST_WAIT_MS; !stopping.signal.aborted; wait = Math.min(2 * wait, MAX_WAIT_MS)) {
			try {
				await attempt();
				isReady = true;
				resolve();
				return;
			} catch (error) {
				const failure = error instanceof Error ? error : new Error(String(error));
				if (failure.message !== told && !stopping.signal.aborted) onFailure(failure);
				told = failure.message;
				await clock.sleep(wait, stopping.signal).catch(() => undefined);
			}
		}
	};
	void tryAll();
	return {
		get isReady() {
			return isReady;
		},
		whenReady,
		stop: () => stopping.abort(),
	};
}
