import type { Finding } from "./finding.ts";
import { findingsOf } from "./finding.ts";

const WARNING_MS = 5000;
const FAULT_MS = 60_000;
const FIX =
	"Synchronize the clocks of both machines (timedatectl set-ntp true): visits, sessions and limits depend on them";

/** Compares this machine's clock with that of a server, which was asked between two moments. */
export function compareClocks(server: string, theirs: number, [before, after]: readonly [number, number]): Finding {
	const clock = findingsOf("clock");
	// Between the moments anything may be true.
	const apart = theirs < before ? before - theirs : Math.max(0, theirs - after);
	const message = `The clock of ${server} differs by ${(apart / 1000).toFixed(1)} s from this machine's`;
	if (apart >= FAULT_MS) return clock.fault(message, FIX);
	return apart >= WARNING_MS ? clock.warning(message, FIX) : clock.ok(message);
}
