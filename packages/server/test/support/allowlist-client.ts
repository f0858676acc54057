import { type Row, tables } from "../../migrations/metadata/tables/index.ts";
import type { AccountsApp, SignedIn } from "./accounts-app.ts";
import { requestOf } from "./request-of.ts";

/** The address that the client of these tests comes from. */
export const OFFICE = "203.0.113.7";
/** An address that no list of these tests covers. */
export const OUTSIDE = "192.0.2.99";

interface CallOptions {
	readonly headers?: Readonly<Record<string, string>>;
	readonly from?: string;
}

type App = Pick<AccountsApp, "metadata" | "inject">;

/** Calls on one site's address rules, from the office unless another address is given. */
export function allowlistClient(app: App, as: Pick<SignedIn, "headers">, site: string) {
	const db = tables(app.metadata);

	async function ask(route: string, body?: object, { headers = as.headers, from = OFFICE }: CallOptions = {}) {
		const response = await app.inject({ ...requestOf(route, { headers, body }), remoteAddress: from });
		const { data, error: { code, message, detail } = {} } = response.body === "" ? {} : response.json();
		const faults = detail?.map(({ field }: { field: string }) => field).sort();
		return { status: response.statusCode, data, code, message, detail, faults };
	}
	return {
		ask,
		/** A call below `/ip-allowlist` that names the site. */
		call: (route: string, body?: object, options?: CallOptions) =>
			ask(`${route.replace(" ", " /ip-allowlist")}${route.includes("?") ? "&" : "?"}account_id=${site}`, body, options),
		/** Switches the list on with one address in it. */
		async allow(pattern: string) {
			await this.call("POST /patterns", { pattern });
			const { status } = await this.call("PUT /settings", { is_enabled: true });
			if (status !== 200) throw new Error(`The list could not be switched on: ${status}`);
		},
		async key(scopes: readonly string[]) {
			const { data } = await ask("POST /api-tokens", { name: "k", scopes });
			return { "x-api-key": data.token as string };
		},
		async plan(tier: Row<"organizations">["plan_tier"]) {
			const own = db.selectFrom("sites").select("organization_id").where("id", "=", site);
			await db.updateTable("organizations").set({ plan_tier: tier }).where("id", "=", own).execute();
		},
	};
}
