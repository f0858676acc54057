import { systemClock } from "../../../platform/lib/clock.ts";
import { type Hold, wishHold } from "./hold-locks.ts";
import { MoveError } from "./move-error.ts";

const LOOK_MS = 100;
/** Requests and jobs that write are waited for. */
const STILL_MS = 180_000;

/** A service that changes nothing in its stores. */
export interface StillService {
	/** Aborts when a process of it no longer keeps still, as it was started again. */
	readonly signal: AbortSignal;
	/** Throws unless all its processes keep still. */
	check(): void;
	/** Lets it go on. */
	release(): void;
}

/** Has the service of a data directory keep still. Throws a `MoveError` when it does not. */
export async function holdService(dataDir: string): Promise<StillService> {
	const hold = await wishHold(dataDir);
	try {
		await untilStill(hold);
	} catch (error) {
		hold.release();
		throw error;
	}
	const lost = new AbortController();
	const check = () => {
		const [missing] = hold.missing();
		if (missing === undefined) return;
		const message = `A process of the service (${missing}) was started again meanwhile: nothing has moved, run it once more`;
		throw new MoveError("service_restarted", message);
	};
	const stopLooking = systemClock.every(LOOK_MS, () => {
		try {
			check();
		} catch (error) {
			lost.abort(error);
		}
	});
	return {
		signal: lost.signal,
		check,
		release: () => {
			stopLooking();
			hold.release();
		},
	};
}

async function untilStill(hold: Hold): Promise<void> {
	if (hold.roles.length > 0 && !hold.roles.includes("collect")) {
		const message =
			"Hits may wait in the spool, and no process with the role collect runs: start it, or end the others";
		throw new MoveError("collector_away", message);
	}
	const until = systemClock.monotonic() + STILL_MS;
	for (let missing = hold.missing(); missing.length > 0; missing = hold.missing()) {
		if (systemClock.monotonic() >= until) {
			const message = `The service does not come to rest (${missing.join(", ")}): its log says more. Nothing has moved`;
			throw new MoveError("service_not_still", message);
		}
		await systemClock.sleep(LOOK_MS);
	}
}
