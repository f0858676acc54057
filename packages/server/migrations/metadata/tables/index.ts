import type { Insertable, Selectable } from "kysely";
import type { LimitTables } from "../../../src/platform/http/rate-limit/stored-rate-counter.ts";
import type { JobTables } from "../../../src/platform/jobs/job-tables.ts";
import type { Metadata } from "../../../src/platform/metadata/metadata.ts";
import type { MigrationTables } from "../../../src/platform/metadata/migrate-metadata.ts";
import type { VersionTables } from "../../../src/platform/metadata/setting-versions.ts";
import type { AlertTables } from "./alerts.ts";
import type { CollectingTables } from "./collecting.ts";
import type { ConnectingTables } from "./connecting.ts";
import type { BigqueryTables, DeliveringTables, LensTables } from "./delivering.ts";
import type { AuditingTables, OperatingTables } from "./operating.ts";
import type { PeopleTables } from "./people.ts";
import type { ReportingTables } from "./reporting.ts";
import type { BillingTables, TenancyTables } from "./tenancy.ts";

/** Those that `platform/` keeps for itself, which knows no others. */
type PlatformTables = MigrationTables & VersionTables & JobTables & LimitTables;

/** Every table of the metadata store, as the migrations leave it. Times in milliseconds, numbers 0 and 1 for no and yes. */
export type Tables = PeopleTables &
	TenancyTables &
	BillingTables &
	AuditingTables &
	CollectingTables &
	ReportingTables &
	DeliveringTables &
	AlertTables &
	LensTables &
	BigqueryTables &
	ConnectingTables &
	OperatingTables &
	PlatformTables;

/** A row as it is read. */
export type Row<Name extends keyof Tables> = Selectable<Tables[Name]>;

/** A row as it is stored: without what the store fills in. */
export type NewRow<Name extends keyof Tables> = Insertable<Tables[Name]>;

/** The metadata store with its tables; a slice writes its own, and reads what it must of others'. */
export const tables = (metadata: Metadata) => metadata.withTables<Tables>();
