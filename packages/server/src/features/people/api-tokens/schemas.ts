import { Type } from "typebox";
import { keyScopes } from "../../../access/index.ts";
import { Id, Nullable, OneOf, Text, Timestamp } from "../../../platform/http/schemas.ts";

export const ListQuery = Type.Object({ include_inactive: Type.Boolean({ default: false }) });

export const TokenParams = Type.Object({ token_id: Id() });

export const CreateTokenBody = Type.Object({
	name: Text(1, 100),
	scopes: Type.Array(OneOf(keyScopes), { minItems: 1, default: ["stats:read"] }),
	account_ids: Type.Optional(
		Nullable(Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 1000 }), {
			description: "Site slugs; null = every site of the owner",
		}),
	),
	expires_in_days: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 365 }), { description: "null = never" })),
});

const token = {
	id: Type.Integer(),
	name: Type.String(),
	token_prefix: Type.String(),
	scopes: Type.Array(OneOf(keyScopes)),
	account_ids: Type.Array(Type.String(), { description: "Slugs of the sites that the key opens now" }),
	all_sites: Type.Boolean(),
	expires_at: Nullable(Timestamp()),
	last_used_at: Nullable(Timestamp(), { description: "Kept to the minute" }),
	is_active: Type.Boolean(),
	revoked_at: Nullable(Timestamp()),
	created_at: Timestamp(),
};
export const Token = Type.Object(token);
export const CreatedToken = Type.Object({
	...token,
	token: Type.String({ description: "The value; shown only here" }),
});
export const TokenList = Type.Object({ tokens: Type.Array(Token), total: Type.Integer() });

export const ScopeList = Type.Object({
	scopes: Type.Array(Type.Object({ id: OneOf(keyScopes), name: Type.String(), description: Type.String() })),
});
