import { createSite, type Session, signIn } from "./accounts.ts";
import { renewSession } from "./renew-session.ts";
import { dataOf, requestOf } from "./request-of.ts";
import type { TestApp } from "./test-app.ts";

/** An organization with sites, its owner, and ways to fill and ask it. */
export type BillingSite = Awaited<ReturnType<typeof billingSite>>;

/** Makes an organization with two sites, one in a zone far from UTC and switched off. */
export async function billingSite(app: TestApp, name = "Ann") {
	const slug = name.toLowerCase();
	const owner = await signIn(app, { email: `${slug}@example.com`, name });
	const root = await signIn(app, { email: `root-${slug}@example.com`, name: `Root ${name}`, role: "superadmin" });
	const second = await createSite(app, owner, { name: `${name} blog`, timezone: "Pacific/Auckland" });
	/** Months pass between the calls of a test, and a session lasts minutes. */
	const call = async (route: string, body: object | undefined, { userId }: Session) =>
		app.inject(requestOf(route, { headers: await renewSession(app, userId), body }));
	await call(`PATCH /sites/${second}`, { is_active: false }, owner);
	const first = await createSite(app, owner, { name: `${name} shop` });
	const sites = [first, second];
	const organization = await call(`GET /organizations/${slug}`, undefined, owner);
	return {
		owner,
		root,
		organizationId: organization.json().data.id as string,
		/** The first one is there from the beginning. */
		sites,
		/** Stores page views, conversions and microconversions of a day on both sites. */
		events: async (
			day: string,
			count: number,
			{ importId = "", site = "" }: { readonly importId?: string; readonly site?: string } = {},
		) => {
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
		/** Stores hits of programs of a day. */
		agents: async (day: string, count: number) => {
			await app.eventStore.command(`INSERT INTO bot_hits (site, date, ts, score, hits, counted)
				VALUES ('${first}', '${day}', '${day} 00:00:00', 95, ${count}, 0), ('${first}', '${day}', '${day} 00:00:00', 50, 7, 1)`);
		},
		put: async (plan: string): Promise<void> => {
			const sent = { headers: await renewSession(app, root.userId), body: { plan_tier: plan } };
			await dataOf(app, `PATCH /admin/organizations/${slug}/plan`, sent);
		},
		/** The answer of a route on billing. */
		ask: async (route: string, body?: object, as = owner) => {
			const answer = await call(route, body, as);
			return { status: answer.statusCode, body: answer.json() };
		},
	};
}
