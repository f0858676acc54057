import { totalmem } from "node:os";

/** Bytes of memory that this process may have: those of the machine, or what its control group leaves it. */
export function machineMemory(): number {
	const limit = process.constrainedMemory();
	return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
