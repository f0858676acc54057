import type { Guard } from "../../../access/index.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import { lockUser } from "../users/index.ts";
import { Preferences, PreferencesBody, selectChosen, upsertChosen, usual } from "./store.ts";

const tags = ["Users"];
const reading: Guard = { kind: "session", scope: "read" };
/** Another one's taste is nothing that a superadmin has to change. */
const writing: Guard = { kind: "session", scope: "write", impersonation: "refused" };

export function registerPreferences(app: App, deps: ChangeDeps): void {
	addRoute(app, "GET /users/me/preferences", {
		tags,
		summary: "The caller's display preferences",
		guard: reading,
		data: Preferences,
		handler: async ({ caller }) => ({ ...usual, ...(await selectChosen(deps.metadata, caller.userId)) }),
	});
	addRoute(app, "PATCH /users/me/preferences", {
		tags,
		summary: "Change the caller's display preferences",
		body: PreferencesBody,
		guard: writing,
		data: Preferences,
		handler: async (request) => {
			const { userId } = request.caller;
			return await deps.metadata.transaction().execute(async (trx) => {
				// Two tabs that change different things at once: both remain.
				await lockUser(trx, userId);
				const chosen = { ...(await selectChosen(trx, userId)), ...request.body };
				await upsertChosen(trx, userId, chosen, deps.clock.now());
				return { ...usual, ...chosen };
			});
		},
	});
}
