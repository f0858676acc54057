import type { Diagnosis } from "../../features/operating/system/index.ts";
import type { Config } from "../../platform/config/config.ts";
import type { RunningService } from "../../platform/files/running-services.ts";
import type { Clock } from "../../platform/lib/clock.ts";
import type { Metadata } from "../../platform/metadata/metadata.ts";

/** How much something matters: `note` is for information, `warning` should be looked at, `fault` keeps something from working. */
export type Level = "ok" | "note" | "warning" | "fault";

/** A finding. Neither sentence contains an address, a secret or personal data. */
export interface Finding {
	/** Examined item, such as `disk`. */
	readonly check: string;
	readonly level: Level;
	readonly message: string;
	readonly fix?: string;
}

const order: readonly Level[] = ["ok", "note", "warning", "fault"];

export const worst = (findings: readonly Finding[]): Level =>
	order[Math.max(0, ...findings.map(({ level }) => order.indexOf(level)))] ?? "ok";

/** 0 when nothing has to be done, 1 for warnings, 2 for faults. */
export const exitCode = (findings: readonly Finding[]): number => Math.max(0, order.indexOf(worst(findings)) - 1);

export const findingsOf = (check: string) => ({
	ok: (message: string): Finding => ({ check, level: "ok", message }),
	note: (message: string, fix: string): Finding => ({ check, level: "note", message, fix }),
	warning: (message: string, fix: string): Finding => ({ check, level: "warning", message, fix }),
	fault: (message: string, fix: string): Finding => ({ check, level: "fault", message, fix }),
});

/** A diagnosis that screens show too, as the finding of a check. */
export const findingOf = (check: string, diagnosis: Diagnosis): Finding => ({
	check,
	level: diagnosis.level,
	message: diagnosis.message,
	...("fix" in diagnosis && { fix: diagnosis.fix }),
});

/** The code of an error of a connection or a file, which names no address: of the deepest cause that has one. */
export function codeOf(error: unknown): string {
	let found: string | undefined;
	for (let at = error; at !== undefined && at !== null; at = Object(at).cause) {
		const { code } = Object(at) as { code?: unknown };
		if (typeof code === "string") found = code;
	}
	return found ?? (error instanceof Error ? error.name : "unknown");
}

export interface Patient {
	/** Its `secretKey` is absent where no start has made one yet. */
	readonly config: Config;
	readonly clock: Clock;
	readonly service: RunningService | undefined;
	readonly metadata: Metadata | undefined;
	/** Milliseconds that a server may take for an answer. */
	readonly answerMs: number;
	/** Whether to ask when each site was hit last, which takes a key that stands in the audit log. */
	readonly asksSites: boolean;
}

/** Findings of an examination; false and undefined stand for none. */
export type Found = Finding | false | undefined | readonly Found[];

export type Examine = (patient: Patient) => Promise<Found>;

/** The findings among what was found. */
export const findingsIn = (found: Found): Finding[] => {
	if (found === undefined || found === false) return [];
	return "check" in found ? [found] : found.flatMap(findingsIn);
};

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
