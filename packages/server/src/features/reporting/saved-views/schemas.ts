import { Type } from "typebox";
import { account } from "../../../access/index.ts";
import { Id, Nullable, OneOf, Text, Timestamp } from "../../../platform/http/schemas.ts";

/** Screens with views. */
const kinds = ["funnel", "query", "report"] as const;

const kind = () => OneOf(kinds, { description: "A funnel, an open query, or a report" });
const name = () => Text(1, 100);
const definition = () =>
	Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
		description: "What is asked, in the words of whoever keeps it; 16 KB at most",
		examples: [{ view: ["page:/", "event:purchase"], period: "7d" }],
	});
const isShared = (options: object = {}) =>
	Type.Boolean({ description: "Everybody who sees the site has it. Editors may share", ...options });

export const ViewParams = Type.Object({ id: Id() });
export const ListQuery = Type.Object({ ...account, kind: Type.Optional(kind()) });

export const CreateViewBody = Type.Object({
	kind: kind(),
	name: name(),
	definition: definition(),
	is_shared: isShared({ default: false }),
});
export const ChangeViewBody = Type.Object({
	name: Type.Optional(name()),
	definition: Type.Optional(definition()),
	is_shared: Type.Optional(isShared()),
});

export const SavedView = Type.Object({
	id: Type.Integer(),
	account_id: Type.String(),
	kind: kind(),
	name: Type.String(),
	definition: definition(),
	is_shared: Type.Boolean(),
	created_by: Nullable(Type.Integer()),
	created_by_name: Nullable(Type.String()),
	created_at: Timestamp(),
	updated_at: Timestamp(),
});
