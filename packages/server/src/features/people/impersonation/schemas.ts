import { Type } from "typebox";
import { Id, Text, Timestamp } from "../../../platform/http/schemas.ts";

export const ImpersonateBody = Type.Object({
	user_id: Id(),
	reason: Text(1, 500, { description: "For the audit log" }),
});

export const Impersonating = Type.Object({
	access_token: Type.String(),
	expires_in: Type.Integer({ description: "Seconds; the whole impersonation ends after an hour" }),
});

export const ImpersonationStatus = Type.Object({
	is_impersonating: Type.Boolean(),
	impersonated_user_id: Type.Optional(Type.Integer({ description: "Only while impersonating" })),
	impersonated_email: Type.Optional(Type.String({ description: "Only while impersonating" })),
	started_at: Type.Optional(Timestamp()),
});
