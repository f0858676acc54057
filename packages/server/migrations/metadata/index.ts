import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";
import { accounts } from "./0001-accounts.ts";
import { visitorSalts } from "./0002-visitor-salts.ts";
import { segments } from "./0003-segments.ts";
import { channelRules } from "./0004-channel-rules.ts";
import { passthroughReferrers } from "./0005-passthrough-referrers.ts";
import { referrerMappings } from "./0006-referrer-mappings.ts";

/** Every migration of the metadata store, oldest first; entries are only ever added at the end. */
export const metadataMigrations: readonly MetadataMigration[] = [
	accounts,
	visitorSalts,
	segments,
	channelRules,
	passthroughReferrers,
	referrerMappings,
];
