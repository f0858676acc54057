import { Type } from "typebox";
import { Id, Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";

const email = Type.String({ minLength: 5, maxLength: 255, description: "User name at the older service" });
const password = Type.String({
	minLength: 1,
	maxLength: 1024,
	description: "Password at the older service; stored encrypted until the data is fetched",
});
const legacyAccount = Type.String({
	pattern: "^[A-Za-z0-9_-]{1,64}$",
	minLength: 1,
	maxLength: 64,
	description: "Account id at the older service",
});
const Day = (description: string) => Type.String({ format: "date", description });

export const TestBody = Type.Object({ email, password, account_id: legacyAccount });
export const Connection = Type.Object({
	valid: Type.Boolean(),
	account_name: Nullable(Type.String()),
	error: Nullable(Type.String()),
});

export const AccountParams = Type.Object({ id: Type.String({ description: "Site slug" }) });
export const JobParams = Type.Object({ job_id: Id() });

export const JobBody = Type.Object({
	v1_email: email,
	v1_password: password,
	v1_account_id: legacyAccount,
	date_from: Day("First day"),
	date_to: Day("Last day, inclusive"),
	migrate_conversions: Type.Boolean({ default: true }),
	migrate_microconversions: Type.Boolean({ default: true }),
	migrate_pageviews: Type.Boolean({ default: false, description: "Whether entrances are migrated too" }),
});

const Status = OneOf(["pending", "running", "completed", "failed", "cancelled"]);
const Percent = Type.Integer({ minimum: 0, maximum: 100 });

export const Created = Type.Object({ job_id: Type.Integer(), status: Status, message: Type.String() });
export const Job = Type.Object({
	id: Type.Integer(),
	account_id: Type.String(),
	v1_account_id: Type.String(),
	date_from: Type.String({ format: "date" }),
	date_to: Type.String({ format: "date" }),
	migrate_conversions: Type.Boolean(),
	migrate_microconversions: Type.Boolean(),
	migrate_pageviews: Type.Boolean(),
	status: Status,
	progress: Percent,
	import_id: Type.String({ format: "uuid", description: "The import that holds the rows; undo it there" }),
	created_at: Timestamp(),
	started_at: Nullable(Timestamp()),
	completed_at: Nullable(Timestamp()),
});
export const JobList = Type.Object({ jobs: Type.Array(Job), total: Type.Integer() });

const Kind = Type.Object({ total: Type.Integer(), migrated: Type.Integer(), percent: Percent });
export const Progress = Type.Object({
	id: Type.Integer(),
	status: Status,
	conversions_progress: Kind,
	microconversions_progress: Kind,
	pageviews_progress: Kind,
	overall_percent: Percent,
	current_step: Nullable(Type.String()),
	error_message: Nullable(Type.String()),
	started_at: Nullable(Timestamp()),
	estimated_completion: Nullable(Timestamp()),
});
