import { type Static, Type } from "typebox";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { languages } from "../../../platform/http/pages/languages.ts";
import { OneOf } from "../../../platform/http/schemas.ts";

const Config = Type.Object({
	version: Type.String({ description: "Version of the service" }),
	setup_required: Type.Boolean({
		description: "No account exists yet: the link in the service's output creates the first one",
	}),
	registration: OneOf(["invited", "open", "closed"]),
	mail: OneOf(["smtp", "outbox"], {
		description: "`outbox`: mails are written to files in the data directory and not sent",
	}),
	payments: OneOf(["none", "stripe"], {
		description: "Payment provider for plans; `none`: the operator sets plans",
	}),
	features: Type.Array(OneOf(["provisioning", "assistant", "billing", "imports", "bigquery", "lens", "migration"]), {
		description: "Optional parts of an installation",
	}),
	languages: Type.Array(OneOf(languages), {
		description: "Of the dashboard. Mails and their pages are in English",
	}),
	limits: Type.Object({
		session_timeout_minutes: Type.Integer({ description: "Time after its last hit at which a visit ends" }),
		max_amount: Type.Integer({ description: "Largest amount of one conversion, positive or negative" }),
		max_import_bytes: Type.Integer({ description: "Maximum size of a file to import" }),
	}),
});

/** Public settings of this installation; field names are those of the answer. */
export type ServiceConfig = Omit<Static<typeof Config>, "setup_required">;

interface ServiceConfigDeps {
	readonly config: ServiceConfig;
	/** True until the first account exists. */
	readonly isWithoutAccount: () => Promise<boolean>;
}

export function registerServiceConfig(app: App, { config, isWithoutAccount }: ServiceConfigDeps): void {
	addRoute(app, "GET /config", {
		tags: ["Utilities"],
		summary: "Configuration of this installation",
		guard: { kind: "public" },
		data: Config,
		handler: async () => ({ ...config, setup_required: await isWithoutAccount() }),
	});
}
