import { authOf } from "../../src/composition/routes/auth-of.ts";
import { findUser } from "../../src/features/people/users/index.ts";
import { createSite, type Session, signIn } from "./accounts.ts";
import { requestOf } from "./request-of.ts";
import type { TestApp } from "./test-app.ts";
import { openTestSession } from "./test-users.ts";

/** An organization with sites, its owner, and ways to fill and ask it. */
export interface BillingSite {
	readonly owner: Session;
	readonly root: Session;
	readonly organizationId: string;
	/** Its sites, the first of which is there from the beginning. */
	readonly sites: readonly string[];
	/** Stores page views, conversions and microconversions of a day on both sites. */
	events(day: string, count: number, more?: { readonly importId?: string; readonly site?: string }): Promise<void>;
	/** Stores hits of programs of a day. */
	agents(day: string, count: number): Promise<void>;
	put(plan: string): Promise<void>;
	/** The answer of a route on billing. */
	ask(route: string, body?: object, as?: Session): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }>;
}

/** Makes an organization with two sites, one in a zone far from UTC and switched off. */
export async function billingSite(app: TestApp, name = "Ann"): Promise<BillingSite> {
	const slug = name.toLowerCase();
	const owner = await signIn(app, { email: `${slug}@example.com`, name });
	const root = await signIn(app, { email: `root-${slug}@example.com`, name: `Root ${name}`, role: "superadmin" });
	const second = await createSite(app, owner, { name: `${name} blog`, timezone: "Pacific/Auckland" });
	const call = async (route: string, body: object | undefined, as: Session) => {
		// Months pass between the calls of a test, and a session lasts minutes.
		const user = await findUser(app.metadata, as.userId);
		if (user === undefined) throw new Error("Nobody has this id");
		const { headers } = await openTestSession(authOf(app), user);
		return app.inject(requestOf(route, { headers, body }));
	};
	await call(`PATCH /sites/${second}`, { is_active: false }, owner);
	const first = await createSite(app, owner, { name: `${name} shop` });
	const sites = [first, second];
	const organization = await call(`GET /organizations/${slug}`, undefined, owner);
	return {
		owner,
		root,
		organizationId: organization.json().data.id,
		sites,
		events: async (day, count, { importId = "", site = "" } = {}) => {
			// A row stands for as many events as its measures say.
			const part = Math.floor(count / 4);
			const rows = [
				[site || first, "pageview", part, 0, 0],
				[site || first, "conversion", 0, part, 0],
				[site || second, "microconversion", 0, 0, part],
				[site || second, "pageview", count - 3 * part, 0, 0],
			] as const;
			const values = rows.map(
				([of, kind, ...measures]) =>
					`('${of}', '${day}', '${day} 00:00:00', '${kind}', '${importId}', ${measures.join(", ")})`,
			);
			await app.eventStore.command(
				`INSERT INTO events (site, date, ts, kind, import_id, page_view, conversion, microconversion) VALUES ${values.join(", ")}`,
			);
		},
		agents: async (day, count) => {
			await app.eventStore.command(`INSERT INTO bot_hits (site, date, ts, score, hits, counted)
				VALUES ('${first}', '${day}', '${day} 00:00:00', 95, ${count}, 0), ('${first}', '${day}', '${day} 00:00:00', 50, 7, 1)`);
		},
		put: async (plan) => {
			const answer = await call(`PATCH /admin/organizations/${slug}/plan`, { plan_tier: plan }, root);
			if (answer.statusCode !== 200) throw new Error(answer.body);
		},
		ask: async (route, body, as = owner) => {
			const answer = await call(route, body, as);
			return { status: answer.statusCode, body: answer.json() };
		},
	};
}
