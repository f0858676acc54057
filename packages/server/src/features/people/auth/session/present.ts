import { timestamp } from "../../../../platform/lib/timestamp.ts";
import type { SessionRow } from "./store.ts";

export const presentSession = (session: SessionRow, currentId: string | undefined) => ({
	id: session.id,
	user_agent: session.user_agent,
	ip_address: session.ip_address,
	created_at: timestamp(session.created_at),
	last_used_at: timestamp(session.last_used_at),
	is_current: session.id === currentId,
});

/** The answer to every registration: nothing in it depends on whether the address was known. */
export const presentRegistration = (given: { email: string; name: string }, requiresSubscription: boolean) => ({
	user_id: 0,
	email: given.email,
	name: given.name,
	access_token: "",
	token_type: "bearer" as const,
	expires_in: 0,
	requires_email_verification: true,
	requires_subscription: requiresSubscription,
	session_created: false,
	email_sent: true,
	message: "We sent you an email. Its link confirms your address and activates your account",
});
