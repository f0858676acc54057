import { timestamp } from "../../../platform/lib/timestamp.ts";

interface Session {
	readonly impersonator_id: number | null;
	readonly created_at: number;
}

/** Whether a session is an impersonation, and of whom, on the wire. */
export const presentStatus = (session: Session | undefined, user: { userId: number; email: string }) =>
	session === undefined || session.impersonator_id === null
		? { is_impersonating: false }
		: {
				is_impersonating: true,
				impersonated_user_id: user.userId,
				impersonated_email: user.email,
				started_at: timestamp(session.created_at),
			};
