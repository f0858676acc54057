import { Type } from "typebox";
import { account } from "../../../access/index.ts";
import { Id, Nullable, OneOf, Text, Timestamp } from "../../../platform/http/schemas.ts";

/** Kinds of annotations. */
const kinds = ["note", "release", "campaign"] as const;

const day = (description: string) => Type.String({ format: "date", description });
const hour = () =>
	Nullable(Type.Integer({ minimum: 0, maximum: 23 }), { description: "On the site's clock; null: the whole day" });

const example = { examples: ["Autumn sale begins"] };
const text = () => Text(1, 200, example);

export const AnnotationParams = Type.Object({ id: Id() });
export const ListQuery = Type.Object({
	...account,
	from_date: Type.Optional(day("First day")),
	to_date: Type.Optional(day("Last day")),
});

export const CreateAnnotationBody = Type.Object({
	date: day("A day of the site; it may be yet to come"),
	hour: Type.Optional(hour()),
	text: text(),
	kind: OneOf(kinds, { default: "note" }),
});
export const ChangeAnnotationBody = Type.Object({
	date: Type.Optional(day("A day of the site")),
	hour: Type.Optional(hour()),
	text: Type.Optional(text()),
	kind: Type.Optional(OneOf(kinds)),
});

export const Annotation = Type.Object({
	id: Type.Integer(),
	account_id: Type.String(),
	date: Type.String({ format: "date" }),
	hour: hour(),
	text: Type.String(example),
	kind: OneOf(kinds),
	created_by: Nullable(Type.Integer()),
	created_by_name: Nullable(Type.String()),
	created_at: Timestamp(),
});
