import type { SessionRow } from "./store.ts";

/** A session on the wire; `currentId` is the one that asks. */
export const presentSession = (session: SessionRow, currentId: string | undefined) => ({
	id: session.id,
	user_agent: session.user_agent,
	ip_address: session.ip_address,
	created_at: new Date(session.created_at).toISOString(),
	last_used_at: new Date(session.last_used_at).toISOString(),
	is_current: session.id === currentId,
});
