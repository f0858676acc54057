import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";
import { accounts } from "./0001-accounts.ts";
import { visitorSalts } from "./0002-visitor-salts.ts";

/** Every migration of the metadata store, oldest first; entries are only ever added at the end. */
export const metadataMigrations: readonly MetadataMigration[] = [accounts, visitorSalts];
