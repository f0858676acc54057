import type { EngineUse } from "./engine-use.ts";
import { count, idOf, isInteractive, type Turn, type TurnLimits, tenantOf } from "./turn.ts";

/** Engine time of a tenant, fading, from which it counts as busy. */
const BUSY_MS = 1000;
/** Engine time of other tenants, fading, from which they count as present. */
const PRESENT_MS = 1;
/** A background question that has waited so long counts as any other. */
const PATIENT_MS = 2000;

/** Waiting and running queries, and recent engine time, at one moment. */
export interface Standing {
	readonly waiting: Iterable<Turn>;
	readonly running: ReadonlySet<Turn>;
	readonly ofTenants: EngineUse;
	readonly ofAskers: EngineUse;
	readonly now: number;
}

/**
 * The next query to run: interactive queries before background work, then the tenant with the least recent engine time,
 * then its caller with the least, then the oldest. Undefined if none may run.
 */
export function chooseTurn(limits: TurnLimits, standing: Standing): Turn | undefined {
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
export function isModest(turn: Turn, standing: Standing): boolean {
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
