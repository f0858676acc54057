import { Type } from "typebox";
import { Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { Checks, OverallStatus } from "../health/index.ts";

const Bytes = (description?: string) => Type.Integer(description === undefined ? {} : { description });

const Process = Type.Object({
	version: Type.String(),
	environment: Type.String(),
	node: Type.String({ description: "Version of the runtime" }),
	roles: Type.Array(Type.String(), { description: "What the answering process does" }),
	root_url: Type.String({ description: "Where links in mails lead" }),
	started_at: Timestamp(),
	uptime_seconds: Type.Integer(),
});

const Memory = Type.Object({
	process: OneOf(["main", "event_store"]),
	bytes: Nullable(Bytes(), { description: "Null where the system does not tell, or the process is down" }),
});

const Disk = Type.Object({
	place: OneOf(["data", "spool"], { description: "`spool` is named where it is another disk" }),
	free_bytes: Bytes(),
	total_bytes: Bytes(),
	state: OneOf(["enough", "little", "none"]),
});

const EventStoreState = Type.Object({
	engine: OneOf(["embedded", "server"]),
	version: Type.String(),
	tables: Type.Array(Type.Object({ table: Type.String(), rows: Type.Integer(), bytes: Bytes() })),
});

const AccountsState = Type.Object({
	engine: OneOf(["sqlite", "postgresql"]),
	version: Type.String(),
	bytes: Bytes("Of the whole store"),
	users: Type.Integer({ description: "Active ones" }),
	organizations: Type.Integer({ description: "Active ones" }),
	sites: Type.Integer({ description: "Active ones" }),
});

const Spool = Type.Object({
	waiting_bytes: Bytes("Accepted hits that are not in the event store yet"),
	waiting_seconds: Type.Integer({ description: "Age of the oldest of them; 0 = none wait" }),
	max_bytes: Bytes("Beyond this, hits are refused"),
	refused_rows: Type.Integer({ description: "Rows that the event store refused; they lie in `spool/refused`" }),
	damaged_files: Type.Integer(),
});

const JobKind = Type.Object({
	kind: Type.String(),
	pending: Type.Integer(),
	running: Type.Integer(),
	failed: Type.Integer(),
	done: Type.Integer({ description: "Within a day" }),
});

const Schedule = Type.Object({
	name: Type.String(),
	cron: Type.String({ description: "In UTC; six fields begin with seconds" }),
	last_run_at: Nullable(Timestamp(), { description: "End of the last run that is still known" }),
	last_status: Nullable(OneOf(["done", "failed"])),
	next_run_at: Nullable(Timestamp()),
});

const Backups = Type.Object({
	last_done_at: Nullable(Timestamp(), { description: "When the last complete backup was made; null = never" }),
	bytes: Nullable(Bytes(), { description: "Size of that backup" }),
	last_failed_at: Nullable(Timestamp(), { description: "Null unless the last attempt failed" }),
	last_error: Nullable(Type.String()),
});

const Mail = Type.Object({
	mode: OneOf(["smtp", "outbox"], { description: "`outbox`: mails are files in the data directory" }),
	waiting: Type.Integer(),
	given_up: Type.Integer({ description: "Within thirty days" }),
	last_error: Nullable(
		Type.Object({ job_id: Type.Integer(), message: Type.String(), status: OneOf(["pending", "running", "failed"]) }),
		{ description: "Of the youngest mail that could not leave" },
	),
});

/** Answer of `/admin/system`. */
export const System = Type.Object({
	status: OverallStatus,
	checks: Checks,
	process: Process,
	memory: Type.Array(Memory),
	disks: Type.Array(Disk),
	event_store: Nullable(EventStoreState, { description: "Null while it cannot be asked" }),
	accounts: AccountsState,
	spool: Nullable(Spool, { description: "Null where the answering process does not collect" }),
	jobs: Type.Object({
		kinds: Type.Array(JobKind),
		due_since: Nullable(Timestamp(), { description: "Since when the longest waiting job could have been done" }),
	}),
	schedules: Type.Array(Schedule),
	backups: Backups,
	mail: Mail,
});
