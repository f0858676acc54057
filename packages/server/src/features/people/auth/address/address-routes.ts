import { Type } from "typebox";
import { type Guard, sessionOf } from "../../../../access/index.ts";
import { ServiceError } from "../../../../platform/errors/service-error.ts";
import { addRoute } from "../../../../platform/http/add-route.ts";
import type { App } from "../../../../platform/http/app.ts";
import { errorAnswers } from "../../../../platform/http/error-answers.ts";
import { Message, Nullable, Timestamp } from "../../../../platform/http/schemas.ts";
import { timestamp } from "../../../../platform/lib/timestamp.ts";
import { actorOf } from "../../../auditing/audit-log/index.ts";
import { getUser, Password } from "../../users/index.ts";
import type { MailingAuthDeps } from "../deps.ts";
import { requestLimits } from "../request-limits.ts";
import { type AddressChangeRow, findAddressChange } from "../store.ts";
import { requestAddressChange, withdrawAddressChange } from "./address-change.ts";

const ChangeAddressBody = Type.Object({
	new_email: Type.String({ format: "email", maxLength: 254 }),
	password: Password(),
});

const AddressState = Type.Object({
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

const tags = ["Users"];
const url = "/users/me/email";
const reading: Guard = { kind: "session", scope: "read", impersonation: "refused" };
const writing: Guard = { kind: "session", scope: "write", impersonation: "refused" };

export function registerAddressChange(app: App, deps: MailingAuthDeps): void {
	addRoute(app, `GET ${url}`, {
		tags,
		summary: "The caller's address, and its pending change",
		guard: reading,
		data: AddressState,
		handler: async (request) => {
			const user = await getUser(deps.metadata, request.caller.userId);
			return presentAddress(user.email, await findAddressChange(deps.metadata, user.id, deps.clock.now()));
		},
	});
	addRoute(app, `POST ${url}`, {
		tags,
		summary: "Change the caller's address; takes effect once both addresses have confirmed by mail",
		body: ChangeAddressBody,
		guard: writing,
		limit: requestLimits.addressChange,
		data: Type.Object({ ...AddressState.properties, message: Type.String() }),
		handler: async (request) => {
			const { userId, sessionId } = sessionOf(request);
			const user = await getUser(deps.metadata, userId);
			const { new_email: newEmail, password } = request.body;
			const wish = { user, sessionId, newEmail, password, ip: request.ip };
			const change = await requestAddressChange(deps, wish, actorOf(request));
			const message = "A mail with a link is on its way to both addresses; nothing changes until both have confirmed";
			return { ...presentAddress(user.email, change), message };
		},
	});
	addRoute(app, `DELETE ${url}`, {
		tags,
		summary: "Cancel a pending change of the address",
		guard: writing,
		data: Message,
		errors: errorAnswers("not_found"),
		handler: async (request) => {
			if (await withdrawAddressChange(deps, request.caller.userId, actorOf(request))) {
				return { message: "The change was cancelled" };
			}
			throw new ServiceError("not_found", { message: "No change of the address is pending" });
		},
	});
}

const presentAddress = (email: string, change: AddressChangeRow | undefined) => ({
	email,
	pending_change:
		change === undefined
			? null
			: {
					new_email: change.new_email,
					is_confirmed_by_current: change.current_confirmed_at !== null,
					is_confirmed_by_new: change.new_confirmed_at !== null,
					requested_at: timestamp(change.created_at),
					expires_at: timestamp(change.expires_at),
				},
});
