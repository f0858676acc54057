import { signIn } from "../../../server/test/support/accounts.ts";
import { below, checkScreens } from "../support/check-screens.ts";
import type { DashboardService } from "../support/open-dashboard.ts";

const root = "root@example.com";

/** Users of all kinds, jobs in all states, and entries with old and new values. */
async function fill({ app, ann }: DashboardService) {
	const { headers } = await signIn(app, { email: root, name: "Root", role: "superadmin" });
	const send = (method: "POST" | "PATCH", url: string, payload: object, as = headers) =>
		app.inject({ method, url: `/api/v1${url}`, headers: as, payload });
	const person = {
		name: "Bartholomew Featherstonehaugh of the Night Shift",
		password: "a sentence that nobody guesses",
	};
	const bart = await send("POST", "/users", { ...person, email: "bartholomew.featherstonehaugh@example.com" });
	await send("PATCH", `/users/${bart.json().data.id}`, { is_active: false });
	await send("PATCH", "/sites/shop", { name: "A shop for everything that one could ever want" }, ann.headers);
	await app.jobs.enqueue(app.metadata, { kind: "mail", payload: { sealed: "by another secret" } });
	await app.jobs.runDue();
	await app.jobs.enqueue(app.metadata, { kind: "mail", runAt: app.clock.now() + 60_000 });
	return {};
}

checkScreens(
	[
		{
			by: "an owner",
			paths: below(
				"/",
				`account account/security account/tokens account/apps organizations organizations/new organizations/ann
				organizations/ann/billing developers sites sites/new sites/nowhere`,
			),
		},
		{
			by: "a superadmin",
			view: { as: root },
			paths: [
				"/sites?view=together:yes",
				...below(
					"/admin/",
					`users?view=inactive:yes users?q=nobody organizations system jobs jobs?view=status:running audit`,
				),
				"/sites/shop/settings/activity",
			],
		},
		{ by: "a stranger", view: { isStranger: true }, paths: ["/sign-in", "/sign-up", "/forgot-password"] },
	],
	{ fill },
);
