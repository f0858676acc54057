import { Type } from "typebox";
import { Nullable, Timestamp } from "../../../../platform/http/schemas.ts";
import { Password } from "../../users/index.ts";

export const ChangeAddressBody = Type.Object({
	new_email: Type.String({ format: "email", maxLength: 254 }),
	password: Password(),
});

/** The address of a user, and the change of it that waits. */
export const AddressState = Type.Object({
	email: Type.String({ description: "The current address, valid until both addresses have confirmed" }),
	pending_change: Nullable(
		Type.Object({
			new_email: Type.String(),
			is_confirmed_by_current: Type.Boolean(),
			is_confirmed_by_new: Type.Boolean(),
			requested_at: Timestamp(),
			expires_at: Timestamp(),
		}),
	),
});

/** Body of the page that confirms a change. */
export const ConfirmAddressBody = Type.Object({ token: Type.String({ minLength: 20, maxLength: 200 }) });
