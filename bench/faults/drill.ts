import type { Outcome } from "./check.ts";
import type { Stage } from "./stage.ts";

/** A fault that is played, with what has to hold afterwards. */
export interface Drill {
	readonly name: string;
	/** The fault it causes. */
	readonly does: string;
	/** Why it cannot be played here; undefined when it can. */
	readonly lacks?: () => string | undefined;
	/** Environment of the commands that make its site, and a stop for what it needs beside; the usual template when absent. */
	readonly surroundings?: () => Promise<Surroundings>;
	readonly play: (stage: Stage) => Promise<Outcome & { readonly note?: string }>;
}

/** Servers that a drill starts for itself. */
export interface Surroundings {
	readonly env: Readonly<Record<string, string>>;
	close(): Promise<void>;
}
