import { Type } from "typebox";
import { optionalBody } from "../../../../platform/http/schemas.ts";
import { Password } from "../../users/index.ts";

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
