import { tables } from "../../migrations/metadata/tables/index.ts";
import type { OrgRole } from "../../src/access/index.ts";
import { insertMember } from "../../src/features/tenancy/organizations/index.ts";
import type { AccountsApp, SignedIn } from "./accounts-app.ts";

/** Makes a user a member of an organization, whoever may add them. */
export async function enlist(app: AccountsApp, slug: string, user: SignedIn, role: OrgRole): Promise<void> {
	const { id } = await tables(app.metadata)
		.selectFrom("organizations")
		.select("id")
		.where("slug", "=", slug)
		.executeTakeFirstOrThrow();
	await insertMember(app.metadata, { organizationId: id, userId: user.id, role, nowMs: app.clock.now() });
}
