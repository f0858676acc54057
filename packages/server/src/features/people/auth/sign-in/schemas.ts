import { Type } from "typebox";
import { Nullable, Timestamp } from "../../../../platform/http/schemas.ts";
import { Password, User } from "../../users/index.ts";

export const SignInBody = Type.Object({
	email: Type.String({ minLength: 1, maxLength: 254 }),
	password: Password(),
});

const accessToken = {
	access_token: Type.String(),
	token_type: Type.Literal("bearer"),
	expires_in: Type.Integer({ description: "Seconds" }),
};

/** Answer of every way of signing in once there is a session. */
export const SessionAnswer = { ...accessToken, user: User };

export const SignedInFrom = {
	ip_filtered_accounts: Type.Array(Type.String(), { description: "Sites that the caller's address may not open" }),
	client_ip: Type.String(),
};

export const Refreshed = Type.Object(accessToken);

export const SessionParams = Type.Object({ session_id: Type.String({ format: "uuid" }) });

export const SessionList = Type.Object({
	sessions: Type.Array(
		Type.Object({
			id: Type.String(),
			user_agent: Nullable(Type.String()),
			ip_address: Nullable(Type.String()),
			created_at: Timestamp(),
			last_used_at: Timestamp(),
			is_current: Type.Boolean(),
		}),
	),
	total: Type.Integer(),
});

export const RevokeAllQuery = Type.Object({
	include_current: Type.Boolean({ default: true, description: "`false` keeps the session of the request" }),
});

export const SessionsTerminated = Type.Object({ message: Type.String(), sessions_terminated: Type.Integer() });
