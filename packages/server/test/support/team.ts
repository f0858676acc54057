import { beforeEach } from "node:test";
import type { Tables } from "../../migrations/metadata/tables/index.ts";
import { organizationMembers, type PlanTier } from "../../src/features/tenancy/organizations/index.ts";
import type { AccountsApp, SignedIn } from "./accounts-app.ts";
import { mailbox } from "./mailbox.ts";

type OrgRole = "owner" | "admin" | "member";

/** Two tenants: Acme, with the sites shop and blog, and Other, with the site far. */
export type Team = Awaited<ReturnType<typeof createTeam>>;

/** Makes Ann the owner of Acme, Bob an admin, Cleo a member without sites; the stranger owns Other. */
export async function createTeam(app: AccountsApp) {
	const { metadata } = app;
	const people = { ann: await app.user("Ann"), bob: await app.user("Bob"), cleo: await app.user("Cleo") };
	const { ann, bob, cleo } = people;
	const stranger = await app.user("Stranger");
	await app.site(ann);
	await app.site(ann, { name: "Blog" });
	await app.site(stranger, { name: "Far" });
	const name = async (as: SignedIn, organization: string): Promise<string> =>
		(await app.call("POST /organizations", { as, body: { name: organization } })).json().data.id;
	const orgId = await name(ann, "Acme");
	await name(stranger, "Other");
	const enlist = (user: SignedIn, role: OrgRole) =>
		organizationMembers.insert(metadata, {
			organization_id: orgId,
			user_id: user.id,
			role,
			created_at: app.clock.now(),
		});
	await enlist(bob, "admin");
	await enlist(cleo, "member");
	const tables = metadata.withTables<Tables>();
	return {
		...people,
		stranger,
		orgId,
		enlist,
		setPlan: (plan: PlanTier) =>
			tables.updateTable("organizations").set({ plan_tier: plan }).where("id", "=", orgId).execute(),
		deactivate: (user: SignedIn) =>
			tables.updateTable("users").set({ is_active: 0 }).where("id", "=", user.id).execute(),
	};
}

/** The two tenants, created anew for each test of the suite or file that calls this. */
export function teamForEach(app: AccountsApp): Team {
	const people = { ann: {}, bob: {}, cleo: {}, stranger: {} } as Pick<Team, "ann" | "bob" | "cleo" | "stranger">;
	const team = { ...people } as Team;
	beforeEach(async () => {
		const made = await createTeam(app);
		for (const name of ["ann", "bob", "cleo", "stranger"] as const) Object.assign(people[name], made[name]);
		Object.assign(team, made, people);
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
