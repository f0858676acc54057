import { type Static, Type } from "typebox";
import type { Property } from "../../../analytics/catalog/dimensions.ts";
import { filterFields, operatorNames, segmentOperators } from "../../../analytics/query/question/filter-vocabulary.ts";
import { Nullable, OneOf, Text, Timestamp, withoutNul } from "../../../platform/http/schemas.ts";

const Value = Type.String({ maxLength: 1000, "x-characters": "any" });
const Condition = Type.Object({
	field: Type.Union([
		OneOf(filterFields),
		Type.Unsafe<Property>(Type.String({ pattern: "^property\\.", examples: ["property.plan"] })),
	]),
	operator: OneOf(operatorNames(segmentOperators), { default: "eq" }),
	value: Type.Union([Value, Type.Array(Value, { minItems: 1, maxItems: 200 })], {
		description: "A list for `in` and `not_in`, a text for the others",
	}),
});
const Group = Type.Object({ conditions: Type.Array(Condition, { maxItems: 10, default: [] }) });

export const SegmentFilters = Type.Object({
	conditions: Type.Array(Condition, { maxItems: 20, default: [], description: "All conditions must match" }),
	groups: Type.Array(Group, {
		maxItems: 10,
		default: [],
		description: "At least one of the groups must match in all conditions",
	}),
	not_groups: Type.Array(Group, {
		maxItems: 10,
		default: [],
		description: "None of the groups may match in all conditions",
	}),
});

export type SegmentFilters = Static<typeof SegmentFilters>;
export type SegmentCondition = Static<typeof Condition>;

const name = () => Type.String({ minLength: 1, maxLength: 50, pattern: "^[a-z0-9-]+$" });
const description = () => Nullable(Type.String({ maxLength: 500, pattern: withoutNul, "x-characters": "lines" }));
const color = () => Nullable(Type.String({ pattern: "^#[0-9A-Fa-f]{6}$" }));

const account = { account_id: Type.String({ description: "Slug of the site" }) };
export const AccountQuery = Type.Object(account);
export const SegmentParams = Type.Object({ id: Type.String({ description: "Id or name of a segment" }) });
export const ListQuery = Type.Object({ ...account, include_system: Type.Boolean({ default: true }) });
export const DuplicateQuery = Type.Object({ ...account, new_name: name() });

export const CreateSegmentBody = Type.Object({
	name: name(),
	display_name: Text(1, 100),
	description: Type.Optional(description()),
	color: Type.Optional(color()),
	filters: SegmentFilters,
});
export const ChangeSegmentBody = Type.Partial(Type.Omit(CreateSegmentBody, ["name"]));

const summary = {
	id: Type.String(),
	name: Type.String(),
	display_name: Type.String(),
	description: Nullable(Type.String()),
	color: Nullable(Type.String()),
	is_system: Type.Boolean(),
	filter_count: Type.Integer({ description: "Number of conditions" }),
};
export const SegmentSummary = Type.Object(summary);
export const Segment = Type.Object({
	...summary,
	account_id: Type.String(),
	filters: SegmentFilters,
	created_by: Nullable(Type.Integer()),
	created_at: Nullable(Timestamp(), { description: "null for system segments" }),
	updated_at: Nullable(Timestamp(), { description: "null for system segments" }),
});
