import { type Static, type TSchema, Type } from "typebox";
import { account } from "../../../access/index.ts";
import { Id, limitAndOffset, Nullable, OneOf, Text, Timestamp } from "../../../platform/http/schemas.ts";

const types = ["ip", "cidr", "regex"] as const;
const optionalText = (maxLength: number) => Type.Optional(Nullable(Text(0, maxLength)));
const description = () => Type.Optional(Nullable(Type.String({ maxLength: 500, "x-characters": "lines" })));

export const ListQuery = Type.Object({ ...account, include_inactive: Type.Boolean({ default: false }) });
export const AttemptsQuery = Type.Object({
	...account,
	denied_only: Type.Boolean({ default: false }),
	...limitAndOffset({ limit: 100, max: 1000 }),
});
export const PatternParams = Type.Object({ id: Id() });

/** Switches that are absent stay as they are. */
export const SettingsBody = Type.Object({
	is_enabled: Type.Optional(Type.Boolean()),
	enforce_for_api_tokens: Type.Optional(Type.Boolean({ description: "API keys and connected apps" })),
	enforce_for_dashboard: Type.Optional(Type.Boolean({ description: "Signed-in users" })),
});

const patternText = () =>
	Text(1, 255, {
		description: "An address, a range such as 203.0.113.0/24, or an RE2 expression for the whole canonical address",
	});

export const CreatePatternBody = Type.Object({
	pattern: patternText(),
	pattern_type: OneOf(types, { default: "ip" }),
	label: optionalText(100),
	description: description(),
	is_active: Type.Boolean({ default: true }),
});

export const ChangePatternBody = Type.Object({
	pattern: Type.Optional(patternText()),
	pattern_type: Type.Optional(OneOf(types)),
	label: optionalText(100),
	description: description(),
	is_active: Type.Optional(Type.Boolean()),
});

const upTo100 = <T extends TSchema>(item: T) => Type.Array(item, { minItems: 1, maxItems: 100 });
export const BulkBody = Type.Object({ patterns: upTo100(CreatePatternBody) });
export const BulkDeleteBody = Type.Object({ pattern_ids: upTo100(Id()) });
export const CheckBody = Type.Object({ ip_address: Text(1, 64) });
export const ImportBody = Type.Object({
	text: Type.String({
		minLength: 1,
		maxLength: 50_000,
		"x-characters": "lines",
		description: "One pattern a line; `#` starts a comment, which becomes the label",
	}),
	default_pattern_type: OneOf(types, {
		default: "ip",
		description: "For lines without a slash; lines with a slash are ranges",
	}),
	label_prefix: optionalText(50),
	skip_duplicates: Type.Boolean({
		default: true,
		description: "Skips patterns that the site has; otherwise they are an error",
	}),
});

export const Settings = Type.Object({
	account_id: Type.String(),
	is_enabled: Type.Boolean(),
	enforce_for_api_tokens: Type.Boolean(),
	enforce_for_dashboard: Type.Boolean(),
	active_patterns_count: Type.Integer(),
	created_at: Timestamp(),
	updated_at: Timestamp(),
});

export const Pattern = Type.Object({
	id: Type.Integer(),
	account_id: Type.String(),
	pattern: Type.String(),
	pattern_type: OneOf(types),
	label: Nullable(Type.String()),
	description: Nullable(Type.String()),
	is_active: Type.Boolean(),
	created_by: Nullable(Type.Integer({ description: "User id" })),
	created_at: Timestamp(),
	updated_at: Timestamp(),
});
export const PatternList = Type.Object({
	patterns: Type.Array(Pattern),
	total: Type.Integer({ description: "Among the listed patterns" }),
	active_count: Type.Integer(),
});
export const Bulk = Type.Object({
	success_count: Type.Integer(),
	error_count: Type.Integer(),
	errors: Type.Array(
		Type.Object({ index: Type.Integer({ description: "Index of the row or line, from 0" }), message: Type.String() }),
	),
});
export const Check = Type.Object({
	ip_address: Type.String(),
	is_allowed: Type.Boolean(),
	matched_pattern: Nullable(Pattern),
	allowlist_enabled: Type.Boolean(),
});
export const Export = Type.Object({ text: Type.String(), count: Type.Integer() });
export const Attempt = Type.Object({
	id: Type.Integer(),
	account_id: Type.String(),
	user_id: Nullable(Type.Integer()),
	user_email: Nullable(Type.String()),
	ip_address: Type.String(),
	auth_type: OneOf(["jwt", "api_key", "oauth", "share"]),
	access_granted: Type.Boolean(),
	matched_pattern_id: Nullable(Type.Integer()),
	matched_pattern: Nullable(Type.String({ description: "At the time of the access" })),
	user_agent: Nullable(Type.String()),
	created_at: Timestamp(),
});
export const AttemptList = Type.Object({
	attempts: Type.Array(Attempt),
	total: Type.Integer(),
	denied_count: Type.Integer(),
});

export type SettingsChanges = Static<typeof SettingsBody>;
