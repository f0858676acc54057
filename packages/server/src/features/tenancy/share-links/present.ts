import { timestamp, timestampOrNull } from "../../../platform/lib/timestamp.ts";
import { type LinkRow, listsOf, originsOf } from "./store.ts";

/** State of a link: open, or the reason why it is not. */
export type LinkState = "open" | "off" | "expired" | "segment_gone";

/** A link with what follows from the present moment. */
export interface SeenLink {
	readonly row: LinkRow;
	/** Its URL; null where it cannot be decrypted any more. */
	readonly url: string | null;
	readonly state: LinkState;
}

/** Audited fields of a link: never its token or password. */
export const auditedLink = (row: LinkRow) => ({
	name: row.name,
	has_password: row.password_hash !== null,
	segment_id: row.segment_id,
	lists: listsOf(row),
	may_filter: row.may_filter === 1,
	embed_origins: originsOf(row),
	expires_at: timestampOrNull(row.expires_at),
	is_active: row.is_active === 1,
});

export const presentLink = ({ row, url, state }: SeenLink) => ({
	...auditedLink(row),
	id: row.id,
	url,
	token_prefix: row.token_prefix,
	views: row.views,
	last_seen_at: timestampOrNull(row.last_seen_at),
	state,
	created_at: timestamp(row.created_at),
	updated_at: timestamp(row.updated_at),
});
