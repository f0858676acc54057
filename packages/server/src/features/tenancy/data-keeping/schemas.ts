import { Type } from "typebox";
import { Id, Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";

export const SiteParams = Type.Object({ id: Type.String({ description: "Site slug" }) });
export const DeletionParams = Type.Object({ id: Type.String({ description: "Site slug" }), deletion_id: Id() });

const day = (description: string) => Type.Optional(Nullable(Type.String({ format: "date", description })));

export const DeleteDataBody = Type.Object({
	from: day("First day in the site's time zone; absent = from the beginning"),
	to: day("Last day, included; absent = until now"),
	confirm: Type.String({ description: "The site's id, once more: nothing brings the data back", maxLength: 64 }),
});

export const Deletion = Type.Object({
	id: Type.Integer(),
	account_id: Type.String(),
	reason: OneOf(["request", "purge"]),
	from: Nullable(Type.String({ format: "date" })),
	to: Nullable(Type.String({ format: "date" })),
	status: OneOf(["pending", "running", "completed", "failed"], {
		description: "`completed`: gone from every report, file and cache",
	}),
	step: OneOf(["collectors", "rows", "exports", "files"], { description: "What is done at the moment" }),
	progress_percent: Type.Integer(),
	deleted_rows: Nullable(Type.Integer()),
	error_message: Nullable(Type.String()),
	created_by: Nullable(Type.Integer()),
	created_at: Timestamp(),
	completed_at: Nullable(Timestamp()),
});
export const DeletionList = Type.Object({ deletions: Type.Array(Deletion), total: Type.Integer() });
