import { type Static, Type } from "typebox";
import { shareLists } from "../../../access/index.ts";
import { Nullable, OneOf, Success, Text, Timestamp } from "../../../platform/http/schemas.ts";

export const ShareParams = Type.Object({ token: Text(1, 128, { description: "Token of the shared URL" }) });

const List = OneOf([...shareLists]);
const name = (options = {}) =>
	Type.String({ minLength: 1, maxLength: 100, pattern: "^[^\\u0000-\\u001f\\u007f]*$", ...options });
const password = () => Type.String({ minLength: 8, maxLength: 128, description: "Readers must enter it" });
const segment = Text(1, 64, { description: "Id or name of a segment; all reports of the link are limited to it" });
const lists = {
	uniqueItems: true,
	maxItems: shareLists.length,
	description: "Lists shown beside the overview",
};
const origins = {
	maxItems: 20,
	description: "Origins that may embed the report: scheme, host and port, such as https://www.example.com",
};
const fields = {
	name: Type.Optional(name()),
	password: Type.Optional(Nullable(password(), { description: "null removes the password" })),
	segment_id: Type.Optional(Nullable(segment)),
	lists: Type.Optional(Type.Array(List, lists)),
	may_filter: Type.Optional(Type.Boolean()),
	embed_origins: Type.Optional(Type.Array(Text(1, 300), origins)),
	expires_at: Type.Optional(Nullable(Type.String({ format: "date-time", description: "When the link stops working" }))),
};

export const CreateLinkBody = Type.Object({
	...fields,
	name: name({ description: "Internal name; readers do not see it" }),
	password: Type.Optional(Nullable(password())),
	may_filter: Type.Boolean({ default: false, description: "Readers may filter by the dimensions shown" }),
});
export type CreateLinkBody = Static<typeof CreateLinkBody>;

export const ChangeLinkBody = Type.Object({ ...fields, is_active: Type.Optional(Type.Boolean()) });
export type ChangeLinkBody = Static<typeof ChangeLinkBody>;

export const ShareLink = Type.Object({
	id: Type.String(),
	name: Type.String(),
	url: Nullable(Type.String({ format: "uri" }), {
		description: "The URL to share; null where it cannot be decrypted any more and has to be renewed",
	}),
	token_prefix: Type.String({ description: "Beginning of the URL's last part" }),
	has_password: Type.Boolean(),
	segment_id: Nullable(Type.String()),
	lists: Type.Array(List),
	may_filter: Type.Boolean(),
	embed_origins: Type.Array(Type.String()),
	expires_at: Nullable(Timestamp()),
	views: Type.Integer({ description: "Number of times the link was opened" }),
	last_seen_at: Nullable(Timestamp()),
	is_active: Type.Boolean(),
	state: OneOf(["open", "off", "expired", "segment_gone"], { description: "Only `open` links show anything" }),
	created_at: Timestamp(),
	updated_at: Timestamp(),
});

export const OpenLinkBody = Type.Object({
	password: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
});

export const OpenedLink = Success(
	Type.Object({
		access_token: Type.String({ description: "Bearer token for the reports of this link" }),
		token_type: OneOf(["bearer"]),
		expires_in: Type.Integer({ description: "Seconds" }),
		site: Type.Object({
			id: Type.String(),
			name: Type.String(),
			timezone: Type.String(),
			currency: Type.String(),
		}),
		lists: Type.Array(List),
		may_filter: Type.Boolean(),
		embed_origins: Type.Array(Type.String(), { description: "Origins that may embed the report" }),
	}),
);
