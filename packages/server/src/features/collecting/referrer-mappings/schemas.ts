import { Type } from "typebox";
import { account } from "../../../access/index.ts";
import { Id, Nullable, OneOf, Text, Timestamp } from "../../../platform/http/schemas.ts";

const matchType = (options = {}) => OneOf(["exact", "contains", "starts_with", "ends_with", "regex"], options);
const priority = (options = {}) =>
	Type.Integer({ minimum: 0, maximum: 1000, description: "The highest is asked first", ...options });

export const ListQuery = Type.Object({ ...account, include_inactive: Type.Boolean({ default: false }) });
export const MappingParams = Type.Object({ mapping_id: Id() });

const pattern = () =>
	Text(1, 255, { description: "Compared with the referrer's domain: lower-case, without a leading www." });
const label = () => Type.Optional(Nullable(Text(0, 100)));
const description = () => Type.Optional(Nullable(Text(0, 500)));

export const CreateMappingBody = Type.Object({
	referrer_pattern: pattern(),
	match_type: matchType({ default: "exact" }),
	utm_source: Text(1, 255),
	utm_medium: Text(0, 100, { default: "referral" }),
	utm_campaign: Text(0, 255, { default: "" }),
	utm_term: Text(0, 255, { default: "" }),
	utm_content: Text(0, 255, { default: "" }),
	label: label(),
	description: description(),
	priority: priority({ default: 0 }),
	is_active: Type.Boolean({ default: true }),
});

export const ChangeMappingBody = Type.Object({
	referrer_pattern: Type.Optional(pattern()),
	match_type: Type.Optional(matchType()),
	utm_source: Type.Optional(Text(1, 255)),
	utm_medium: Type.Optional(Text(0, 100)),
	utm_campaign: Type.Optional(Text(0, 255)),
	utm_term: Type.Optional(Text(0, 255)),
	utm_content: Type.Optional(Text(0, 255)),
	label: label(),
	description: description(),
	priority: Type.Optional(priority()),
	is_active: Type.Optional(Type.Boolean()),
});

export const Mapping = Type.Object({
	id: Type.Integer(),
	account_id: Type.String(),
	referrer_pattern: Type.String(),
	match_type: matchType(),
	utm_source: Type.String(),
	utm_medium: Type.String(),
	utm_campaign: Type.String(),
	utm_term: Type.String(),
	utm_content: Type.String(),
	label: Nullable(Type.String()),
	description: Nullable(Type.String()),
	priority: Type.Integer(),
	is_active: Type.Boolean(),
	created_at: Timestamp(),
	updated_at: Timestamp(),
});
export const MappingList = Type.Object({
	mappings: Type.Array(Mapping, { description: "In the order in which they are asked" }),
	total: Type.Integer({ description: "Of the mappings listed" }),
	active_count: Type.Integer(),
});
