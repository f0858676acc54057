import { SqliteAdapter } from "kysely";
import type { Metadata } from "./metadata.ts";

/** On which engine a metadata store is. */
export const engineOf = (metadata: Metadata): "sqlite" | "postgresql" =>
	metadata.getExecutor().adapter instanceof SqliteAdapter ? "sqlite" : "postgresql";
