import type { Topology } from "./create-table.ts";

/** One step of the event store's schema. Released steps never change; a new step follows. */
export interface EventMigration {
	/** Position, counted from 1 without gaps. */
	readonly version: number;
	readonly name: string;
	/** Statements in order, each safe to repeat, because a crash may come after any of them. */
	statements(topology: Topology): readonly string[];
}
