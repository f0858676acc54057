import { tables } from "../../migrations/metadata/tables/index.ts";
import type { OrgRole } from "../../src/access/index.ts";
import { insertMember } from "../../src/features/tenancy/organizations/index.ts";
import type { AccountsApp, SignedIn } from "./accounts-app.ts";

type Stored = Pick<AccountsApp, "metadata" | "clock">;

/** Makes a user a member of an organization, whoever may add them. */
export async function enlist(app: Stored, slug: string, user: Pick<SignedIn, "id">, role: OrgRole): Promise<void> {
	const { id } = await tables(app.metadata)
		.selectFrom("organizations")
		.select("id")
		.where("slug", "=", slug)
		.executeTakeFirstOrThrow();
	await insertMember(app.metadata, { organizationId: id, userId: user.id, role, nowMs: app.clock.now() });
}
