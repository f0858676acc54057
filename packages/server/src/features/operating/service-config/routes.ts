import { type Static, Type } from "typebox";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { languages } from "../../../platform/http/pages/languages.ts";
import { OneOf } from "../../../platform/http/schemas.ts";

const Config = Type.Object({
	version: Type.String({ description: "Of the service" }),
	setup_required: Type.Boolean({
		description: "No account exists yet: the link in the service's output makes the first one",
	}),
	registration: OneOf(["invited", "open", "closed"]),
	mail: OneOf(["smtp", "outbox"], {
		description: "`outbox`: mails are files in the data directory, nobody receives them",
	}),
	payments: OneOf(["none", "stripe"], {
		description: "Who takes payments for plans; `none`: whoever runs the service sets them",
	}),
	features: Type.Array(OneOf(["provisioning", "assistant", "billing", "imports", "bigquery", "lens", "migration"]), {
		description: "Parts that only some installations have",
	}),
	languages: Type.Array(OneOf(languages), {
		description: "Of the dashboard. Mails, and the pages that they lead to, are English",
	}),
	limits: Type.Object({
		session_timeout_minutes: Type.Integer({ description: "A visit ends so long after its last hit" }),
		max_amount: Type.Integer({ description: "Largest amount of one conversion, of either sign" }),
		max_import_bytes: Type.Integer({ description: "Largest file that can be imported" }),
	}),
});

/** Public settings of this installation; field names are those of the answer. */
export type ServiceConfig = Omit<Static<typeof Config>, "setup_required">;

/** Dependencies of the route. */
interface ServiceConfigDeps {
	readonly config: ServiceConfig;
	/** True as long as nobody can sign in. */
	readonly isWithoutAccount: () => Promise<boolean>;
}

/** The route by which a client learns what this installation offers. */
export function registerServiceConfig(app: App, { config, isWithoutAccount }: ServiceConfigDeps): void {
	addRoute(app, "GET /config", {
		tags: ["Utilities"],
		summary: "What this installation offers",
		guard: { kind: "public" },
		data: Config,
		handler: async () => ({ ...config, setup_required: await isWithoutAccount() }),
	});
}
