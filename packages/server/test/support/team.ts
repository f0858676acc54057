import { beforeEach } from "node:test";
import type { Tables } from "../../migrations/metadata/tables/index.ts";
import { insertMember, type PlanTier } from "../../src/features/tenancy/organizations/index.ts";
import type { AccountsApp, SignedIn } from "./accounts-app.ts";
import { mailbox } from "./mailbox.ts";

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

/** The two tenants, created anew for each test of the suite or file that calls this. */
export function teamForEach(app: AccountsApp): Team {
	const people = { ann: {}, bob: {}, cleo: {}, stranger: {} } as Pick<Team, "ann" | "bob" | "cleo" | "stranger">;
	const team = { ...people } as Team;
	beforeEach(async () => {
		const { ann, bob, cleo, stranger, ...others } = await createTeam(app);
		Object.assign(people.ann, ann);
		Object.assign(people.bob, bob);
		Object.assign(people.cleo, cleo);
		Object.assign(people.stranger, stranger);
		Object.assign(team, others);
	});
	return team;
}

const tokenOf = (link: string | undefined) => new URL(link ?? "").searchParams.get("token") ?? "";

/** Calls on Acme's invitations; those of its owner unless another user is named. */
export function invitationCalls(app: AccountsApp, owner: () => SignedIn) {
	const invite = (body: object, as = owner(), slug = "acme") =>
		app.call(`POST /organizations/${slug}/invitations`, { as, body });
	return {
		tokenOf,
		invite,
		/** Invites an address: the token that was mailed, and the one that the sender was shown. */
		sent: async (body: { readonly email: string; readonly [field: string]: unknown }) => {
			const response = await invite(body);
			if (response.statusCode !== 201) throw new Error(response.body);
			const { invitation_id: id, invitation_link: link } = response.json().data;
			const mail = (await mailbox(app).to(body.email)).at(-1);
			return { id: id as number, token: tokenOf(mail?.links[0]), shown: tokenOf(link) };
		},
		look: (token: string) => app.call(`GET /invitations/${token}`),
		accept: (body: object) =>
			app.call("POST /invitations/accept", { body: { name: "New", password: "four words in a row", ...body } }),
		resend: (id: number | string, as = owner()) =>
			app.call(`POST /organizations/acme/invitations/${id}/resend`, { as }),
		revoke: (id: number | string, as = owner()) => app.call(`DELETE /organizations/acme/invitations/${id}`, { as }),
	};
}
