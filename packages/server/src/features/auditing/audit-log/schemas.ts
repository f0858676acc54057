import { Type } from "typebox";
import { Id, Nullable, paging, Timestamp, withoutNul } from "../../../platform/http/schemas.ts";

const word = (description: string) => Type.String({ description, maxLength: 100, pattern: withoutNul });
const moment = (description: string) =>
	Type.Union([Type.String({ format: "date-time" }), Type.String({ format: "date" })], { description });

export const ListQuery = Type.Object({
	action: Type.Optional(word("E.g. `site.updated`; all of them: `GET /audit/actions`")),
	resource_type: Type.Optional(word("E.g. `site`")),
	user_id: Type.Optional(Id({ description: "Author, or who acted as the author" })),
	account_id: Type.Optional(Type.String({ description: "Site" })),
	organization: Type.Optional(Type.String({ description: "Slug; what concerns the organization and its sites" })),
	from_date: Type.Optional(moment("Moment, or a day that is included")),
	to_date: Type.Optional(moment("Moment, or a day that is included; days are those of UTC")),
	...paging({ pageSize: 50, max: 100 }),
});

export const Entries = Type.Object({
	logs: Type.Array(
		Type.Object({
			id: Type.Integer(),
			user_id: Nullable(Type.Integer(), { description: "Null: the operator's command line, or the service itself" }),
			user_email: Type.String({ description: "`system` where `user_id` is null" }),
			user_name: Nullable(Type.String()),
			action: Type.String({ description: "`resource.verb`" }),
			resource_type: Type.String(),
			resource_id: Nullable(Type.String()),
			account_id: Nullable(Type.String({ description: "Site" })),
			details: Type.Record(Type.String(), Type.Unknown(), {
				description:
					"Changed fields as `[old, new]`, or facts; `impersonated_by`: id of the superadmin who acted as this user",
			}),
			ip_address: Nullable(Type.String()),
			created_at: Timestamp(),
		}),
	),
	total: Type.Integer(),
	page: Type.Integer(),
	page_size: Type.Integer(),
	total_pages: Type.Integer(),
});

export const Actions = Type.Object({
	actions: Type.Array(
		Type.Object({
			action: Type.String({ description: "`resource.verb`" }),
			resource_type: Type.String(),
		}),
		{ description: "By their names; also those that nothing has left an entry of yet" },
	),
});
