import type { Tables } from "../../../server/migrations/metadata/tables/index.ts";
import { type Session, signIn } from "../../../server/test/support/accounts.ts";
import type { DashboardService } from "./open-dashboard.ts";
import { ann } from "./open-dashboard.ts";

/** Somebody with a role on the shop, and their credentials. */
export async function addReader(
	{ app }: DashboardService,
	{ email, role }: { readonly email: string; readonly role: "viewer" | "editor" | "admin" },
): Promise<Session & { readonly password: string }> {
	const session = await signIn(app, { email, name: "Vera" });
	await app.metadata
		.withTables<Tables>()
		.insertInto("site_members")
		.values({ site_id: "shop", user_id: session.userId, role, created_at: app.clock.now() })
		.execute();
	return { ...session, password: ann.password };
}
