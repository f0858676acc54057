import { Type } from "typebox";
import { Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { Checks, OverallStatus } from "../health/index.ts";
import { warningCodes } from "./diagnose.ts";

const Bytes = (description?: string) => Type.Integer(description === undefined ? {} : { description });

const Warning = Type.Object({
	code: OneOf(warningCodes),
	level: OneOf(["fault", "warning", "note"]),
	message: Type.String({ description: "In English", examples: ["Requests come through a proxy that is not trusted"] }),
	fix: Type.String({
		description: "How to mend it, in English",
		examples: ["Add the proxy's address to TRUST_PROXY: without it all visitors count as one"],
	}),
	count: Type.Optional(Type.Integer({ description: "The number that the message names" })),
});

export const Warnings = Type.Object({ warnings: Type.Array(Warning) });

export const System = Type.Object({
	status: OverallStatus,
	checks: Checks,
	warnings: Type.Array(Warning, { description: "Of the installation, as in `GET /warnings`" }),
	process: Type.Object({
		version: Type.String(),
		environment: Type.String(),
		node: Type.String({ description: "Version of the runtime" }),
		roles: Type.Array(Type.String(), { description: "Roles of the answering process" }),
		root_url: Type.String({ description: "Base URL of the links in mails" }),
		started_at: Timestamp(),
		uptime_seconds: Type.Integer(),
	}),
	memory: Type.Array(
		Type.Object({
			process: OneOf(["main", "event_store"]),
			bytes: Nullable(Bytes(), {
				description: "Null where the system does not report it, or the process is not running",
			}),
		}),
	),
	disks: Type.Array(
		Type.Object({
			place: OneOf(["data", "spool"], { description: "`spool` is listed where it is on another disk" }),
			free_bytes: Bytes(),
			total_bytes: Bytes(),
			state: OneOf(["enough", "little", "none"]),
		}),
	),
	event_store: Nullable(
		Type.Object({
			engine: OneOf(["embedded", "server"]),
			version: Type.String(),
			tables: Type.Array(Type.Object({ table: Type.String(), rows: Type.Integer(), bytes: Bytes() })),
		}),
		{ description: "Null while it cannot be queried" },
	),
	accounts: Type.Object({
		engine: OneOf(["sqlite", "postgresql"]),
		version: Type.String(),
		bytes: Bytes("Of the whole store"),
		users: Type.Integer({ description: "Active ones" }),
		organizations: Type.Integer({ description: "Active ones" }),
		sites: Type.Integer({ description: "Active ones" }),
	}),
	spool: Nullable(
		Type.Object({
			waiting_bytes: Bytes("Accepted hits that are not in the event store yet"),
			waiting_seconds: Type.Integer({ description: "Age of the oldest of them; 0 = none are waiting" }),
			max_bytes: Bytes("Hits are refused beyond it"),
			refused_rows: Type.Integer({ description: "Rows that the event store refused; they are in `spool/refused`" }),
			damaged_files: Type.Integer(),
		}),
		{ description: "Null where the answering process is no collector" },
	),
	jobs: Type.Object({
		kinds: Type.Array(
			Type.Object({
				kind: Type.String(),
				pending: Type.Integer(),
				running: Type.Integer(),
				failed: Type.Integer(),
				done: Type.Integer({ description: "In the last 24 hours" }),
			}),
		),
		due_since: Nullable(Timestamp(), { description: "When the longest waiting job became due" }),
	}),
	schedules: Type.Array(
		Type.Object({
			name: Type.String(),
			cron: Type.String({ description: "In UTC; with six fields the first is seconds" }),
			last_run_at: Nullable(Timestamp(), { description: "End of the last known run" }),
			last_status: Nullable(OneOf(["done", "failed"])),
			next_run_at: Nullable(Timestamp()),
		}),
	),
	backups: Type.Object({
		last_done_at: Nullable(Timestamp(), { description: "Time of the last complete backup; null = never" }),
		bytes: Nullable(Bytes(), { description: "Size of that backup" }),
		last_failed_at: Nullable(Timestamp(), { description: "Null unless the last attempt failed" }),
		last_error: Nullable(Type.String()),
	}),
	mail: Type.Object({
		mode: OneOf(["smtp", "outbox"], { description: "`outbox`: mails are written to files in the data directory" }),
		waiting: Type.Integer(),
		given_up: Type.Integer({ description: "In the last thirty days" }),
		last_error: Nullable(
			Type.Object({ job_id: Type.Integer(), message: Type.String(), status: OneOf(["pending", "running", "failed"]) }),
			{ description: "Error of the latest mail that could not be sent" },
		),
	}),
});
