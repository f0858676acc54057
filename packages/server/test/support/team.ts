import type { Tables } from "../../migrations/metadata/tables/index.ts";
import { insertMember, type PlanTier } from "../../src/features/tenancy/organizations/index.ts";
import type { AccountsApp, SignedIn } from "./accounts-app.ts";

type OrgRole = "owner" | "admin" | "member";

/** Two tenants: Acme, with the sites shop and blog, and Other, with the site far. */
export interface Team {
	readonly orgId: string;
	/** Owns Acme. */
	readonly ann: SignedIn;
	/** An admin of Acme. */
	readonly bob: SignedIn;
	/** A member of Acme without sites. */
	readonly cleo: SignedIn;
	/** Owns Other. */
	readonly stranger: SignedIn;
	/** Makes a user belong to Acme. */
	enlist(user: SignedIn, role: OrgRole): Promise<unknown>;
	/** Puts Acme on another plan. */
	setPlan(plan: PlanTier): Promise<unknown>;
	/** Makes a user unable to sign in. */
	deactivate(user: SignedIn): Promise<unknown>;
}

/** Sets up the two tenants. */
export async function createTeam(app: AccountsApp): Promise<Team> {
	const { metadata } = app;
	const [ann, bob, cleo, stranger] = [
		await app.user("Ann"),
		await app.user("Bob"),
		await app.user("Cleo"),
		await app.user("Stranger"),
	];
	await app.site(ann);
	await app.site(ann, { name: "Blog" });
	await app.site(stranger, { name: "Far" });
	const name = async (as: SignedIn, organization: string): Promise<string> =>
		(await app.call("POST /organizations", { as, body: { name: organization } })).json().data.id;
	const orgId = await name(ann, "Acme");
	await name(stranger, "Other");
	const enlist = (user: SignedIn, role: OrgRole) =>
		insertMember(metadata, { organizationId: orgId, userId: user.id, role, nowMs: app.clock.now() });
	await enlist(bob, "admin");
	await enlist(cleo, "member");
	return {
		orgId,
		ann,
		bob,
		cleo,
		stranger,
		enlist,
		setPlan: (plan) =>
			metadata
				.withTables<Tables>()
				.updateTable("organizations")
				.set({ plan_tier: plan })
				.where("id", "=", orgId)
				.execute(),
		deactivate: (user) =>
			metadata.withTables<Tables>().updateTable("users").set({ is_active: 0 }).where("id", "=", user.id).execute(),
	};
}
