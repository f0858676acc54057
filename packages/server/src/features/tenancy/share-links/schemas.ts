import { type Static, Type } from "typebox";
import { shareLists } from "../../../access/index.ts";
import { Nullable, OneOf, Success, Text, Timestamp } from "../../../platform/http/schemas.ts";

export const SiteParams = Type.Object({ id: Type.String({ description: "Site slug" }) });
export const LinkParams = Type.Object({ ...SiteParams.properties, link_id: Text(1, 64) });
export const ShareParams = Type.Object({ token: Text(1, 128, { description: "What the shared address holds" }) });

const List = OneOf([...shareLists]);
const name = (options = {}) =>
	Type.String({ minLength: 1, maxLength: 100, pattern: "^[^\\u0000-\\u001f\\u007f]*$", ...options });
const password = () =>
	Type.String({ minLength: 8, maxLength: 128, description: "Asked of everybody who opens the link" });
const segment = () => Text(1, 64, { description: "Id or name of a segment; every report stays within it" });
const lists = () =>
	Type.Array(List, {
		uniqueItems: true,
		maxItems: shareLists.length,
		description: "What is shown beside the overview",
	});
const origins = () =>
	Type.Array(Text(1, 300), {
		maxItems: 20,
		description: "Pages that may frame the report: scheme, host and port, such as https://www.example.com",
	});
const expiry = () => Type.String({ format: "date-time", description: "From when on the link is dead" });

export const CreateLinkBody = Type.Object({
	name: name({ description: "By which you know it; readers do not see it" }),
	password: Type.Optional(Nullable(password())),
	segment_id: Type.Optional(Nullable(segment())),
	lists: Type.Optional(lists()),
	may_filter: Type.Boolean({ default: false, description: "Readers may filter, by what the lists show" }),
	embed_origins: Type.Optional(origins()),
	expires_at: Type.Optional(Nullable(expiry())),
});
export type CreateLinkBody = Static<typeof CreateLinkBody>;

export const ChangeLinkBody = Type.Object({
	name: Type.Optional(name()),
	password: Type.Optional(Nullable(password(), { description: "null: none is asked for any more" })),
	segment_id: Type.Optional(Nullable(segment())),
	lists: Type.Optional(lists()),
	may_filter: Type.Optional(Type.Boolean()),
	embed_origins: Type.Optional(origins()),
	expires_at: Type.Optional(Nullable(expiry())),
	is_active: Type.Optional(Type.Boolean()),
});
export type ChangeLinkBody = Static<typeof ChangeLinkBody>;

export const ShareLink = Type.Object({
	id: Type.String(),
	name: Type.String(),
	url: Nullable(Type.String({ format: "uri" }), {
		description: "The address to pass on; null where it cannot be read any more, and has to be renewed to be seen",
	}),
	token_prefix: Type.String({ description: "How the last part of the address begins" }),
	has_password: Type.Boolean(),
	segment_id: Nullable(Type.String()),
	lists: Type.Array(List),
	may_filter: Type.Boolean(),
	embed_origins: Type.Array(Type.String()),
	expires_at: Nullable(Timestamp()),
	views: Type.Integer({ description: "How often it was opened" }),
	last_seen_at: Nullable(Timestamp()),
	is_active: Type.Boolean(),
	state: OneOf(["open", "off", "expired", "segment_gone"], { description: "Only `open` shows anything" }),
	created_at: Timestamp(),
	updated_at: Timestamp(),
});

export const OpenLinkBody = Type.Object({
	password: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
});

export const OpenedLink = Success(
	Type.Object({
		access_token: Type.String({ description: "A bearer for the reports of this link" }),
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
		embed_origins: Type.Array(Type.String(), { description: "Pages that may frame the report" }),
	}),
);
