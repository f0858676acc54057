import type { Guard } from "../../../access/index.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { Success } from "../../../platform/http/schemas.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { lockUser } from "../users/index.ts";
import { Preferences, PreferencesBody, usual } from "./schemas.ts";
import { selectChosen, upsertChosen } from "./store.ts";

interface PreferencesDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
}

const tags = ["Users"];
const reading: Guard = { kind: "session", scope: "read" };
/** Another one's taste is nothing that a superadmin has to change. */
const writing: Guard = { kind: "session", scope: "write", impersonation: "refused" };

/** The routes of how a user wants the pages. */
export function registerPreferences(app: App, deps: PreferencesDeps): void {
	app.route({
		method: "GET",
		url: "/users/me/preferences",
		schema: { tags, summary: "How the caller wants the pages", response: { 200: Success(Preferences) } },
		config: { guard: reading },
		handler: async (request) => success(await readPreferences(deps.metadata, request.caller.userId)),
	});
	app.route({
		method: "PATCH",
		url: "/users/me/preferences",
		schema: {
			tags,
			summary: "Change how the caller wants the pages",
			body: PreferencesBody,
			response: { 200: Success(Preferences) },
		},
		config: { guard: writing },
		handler: async (request) => {
			const { userId } = request.caller;
			return success(
				await deps.metadata.transaction().execute(async (trx) => {
					// Two tabs that change different things at once: both remain.
					await lockUser(trx, userId);
					const chosen = { ...(await selectChosen(trx, userId)), ...request.body };
					await upsertChosen(trx, userId, chosen, deps.clock.now());
					return { ...usual, ...chosen };
				}),
			);
		},
	});
}

const readPreferences = async (metadata: Metadata, userId: number): Promise<Preferences> => ({
	...usual,
	...(await selectChosen(metadata, userId)),
});
