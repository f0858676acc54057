import type { Asker } from "../../lib/asker.ts";

/** A question that waits or runs. */
export interface Turn {
	/** `clock.monotonic()` when it was asked. */
	readonly since: number;
	/** Absent for the service's own work, which only the number of places holds back. */
	readonly asker: Asker | undefined;
	/** When it began to run; undefined while it waits. */
	startedAt: number | undefined;
	/** It runs on one thread: its tenant had much of the engine lately, and others are there. */
	isModest: boolean;
	/** Questions of its tenant that ran or waited when it began. */
	besides: number;
	/** Ends the question wherever it stands. */
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

/** Caller of a query. */
export const idOf = ({ asker }: Turn): string => asker?.id ?? OWN;

/** Tenant of a query. */
export const tenantOf = ({ asker }: Turn): string => asker?.tenant ?? OWN;

/** Somebody looks at a screen meanwhile. */
export const isInteractive = ({ asker }: Turn): boolean => asker?.kind === "interactive";

/** How many of them are like that. */
export function count(turns: Iterable<Turn>, isCounted: (turn: Turn) => boolean): number {
	let found = 0;
	for (const turn of turns) if (isCounted(turn)) found++;
	return found;
}
