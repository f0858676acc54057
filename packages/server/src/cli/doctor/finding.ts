/** How much something matters: `note` is for information, `warning` should be looked at, `fault` keeps something from working. */
export type Level = "ok" | "note" | "warning" | "fault";

/** A finding. Neither sentence contains an address, a secret or personal data. */
export interface Finding {
	/** Examined item, such as `disk`. */
	readonly check: string;
	readonly level: Level;
	readonly message: string;
	/** Remedy. */
	readonly fix?: string;
}

const order: readonly Level[] = ["ok", "note", "warning", "fault"];

/** The highest level among findings. */
export const worst = (findings: readonly Finding[]): Level =>
	order[Math.max(0, ...findings.map(({ level }) => order.indexOf(level)))] ?? "ok";

/** 0 when nothing has to be done, 1 for warnings, 2 for faults. */
export const exitCode = (findings: readonly Finding[]): number => Math.max(0, order.indexOf(worst(findings)) - 1);

/** Findings of one check. */
export const findingsOf = (check: string) => ({
	ok: (message: string): Finding => ({ check, level: "ok", message }),
	note: (message: string, fix?: string): Finding => ({
		check,
		level: "note",
		message,
		...(fix !== undefined && { fix }),
	}),
	warning: (message: string, fix: string): Finding => ({ check, level: "warning", message, fix }),
	fault: (message: string, fix: string): Finding => ({ check, level: "fault", message, fix }),
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
