import { Type } from "typebox";
import { Nullable, optionalBody, Timestamp } from "../../../platform/http/schemas.ts";
import { Password, User } from "../users/index.ts";

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

const email = () => Type.String({ format: "email", maxLength: 254 });
const newPassword = () =>
	Type.String({
		minLength: 12,
		maxLength: 128,
		description: "Common passwords and those with the local part of the email address are refused",
	});
const mailedToken = () => Type.String({ minLength: 20, maxLength: 200, description: "Token from the mailed link" });

export const RegisterBody = Type.Object({
	email: email(),
	name: Type.String({ minLength: 1, maxLength: 255 }),
	password: newPassword(),
	accept_terms: Type.Boolean({ description: "Must be true" }),
});

export const Registered = Type.Object({
	user_id: Type.Integer({ description: "Always 0: only the mail says whether an account was created" }),
	email: Type.String(),
	name: Type.String(),
	access_token: Type.String({ description: "Empty: the session starts when the address is confirmed" }),
	token_type: Type.Literal("bearer"),
	expires_in: Type.Integer(),
	requires_email_verification: Type.Boolean(),
	requires_subscription: Type.Boolean(),
	session_created: Type.Boolean(),
	email_sent: Type.Boolean(),
	message: Type.String(),
});

export const VerifyBody = Type.Object({ token: mailedToken() });

/** Body of the page that confirms an address. */
export const VerifyFormBody = Type.Object({
	token: mailedToken(),
	password: Type.Optional(Password()),
	new_password: Type.Optional(newPassword()),
});

export const Verified = { message: Type.String(), verified: Type.Literal(true) };

export const ResendBody = Type.Object(
	{
		email: Type.Optional(
			Type.String({
				format: "email",
				maxLength: 254,
				description: "May be omitted with a session: its own address is used",
			}),
		),
	},
	optionalBody,
);

export const VerificationStatus = Type.Object({ verified: Type.Boolean(), email: Type.String() });

export const ForgotBody = Type.Object({ email: email() });

export const ResetBody = Type.Object({ token: mailedToken(), new_password: newPassword() });

export const ChangePasswordBody = Type.Object({
	current_password: Password(),
	new_password: newPassword(),
});
