import { type TSchemaOptions, Type } from "typebox";
import { hourly } from "../../../platform/http/rate-limit/route-limit.ts";
import { Password, User } from "../users/index.ts";

/** Limits of what anybody may ask for, whichever way it is asked. */
export const requestLimits = {
	registration: hourly("register", 3),
	verificationMail: hourly("resend-verification", 3),
	addressChange: hourly("change-address", 5),
	resetMail: hourly("forgot-password", 3),
} as const;

export const SignInBody = Type.Object({
	email: Type.String({ minLength: 1, maxLength: 254 }),
	password: Password(),
});

export const accessToken = {
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

export const Email = (options: TSchemaOptions = {}) => Type.String({ format: "email", maxLength: 254, ...options });
export const NewPassword = () =>
	Type.String({
		minLength: 12,
		maxLength: 128,
		description: "Common passwords and those with the local part of the email address are refused",
	});
export const MailedToken = () =>
	Type.String({ minLength: 20, maxLength: 200, description: "Token from the mailed link" });

export const RegisterBody = Type.Object({
	email: Email(),
	name: Type.String({ minLength: 1, maxLength: 255 }),
	password: NewPassword(),
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

/** Body of the page that confirms a change of the address. */
export const ConfirmAddressBody = Type.Object({ token: MailedToken() });

/** Body of the page that confirms an address. */
export const VerifyFormBody = Type.Object({
	token: MailedToken(),
	password: Type.Optional(Password()),
	new_password: Type.Optional(NewPassword()),
});

export const ForgotBody = Type.Object({ email: Email() });

export const ResetBody = Type.Object({ token: MailedToken(), new_password: NewPassword() });
