import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { ServiceError } from "../../../../platform/errors/service-error.ts";
import type { App } from "../../../../platform/http/app.ts";
import { faultsOf } from "../../../../platform/http/pages/faults.ts";
import { acceptForms, fieldOf } from "../../../../platform/http/pages/forms.ts";
import { HtmlPage } from "../../../../platform/http/pages/open-pages.ts";
import { type Page, sendPage } from "../../../../platform/http/pages/page.ts";
import type { UserRow } from "../../users/index.ts";
import type { AuthDeps } from "../deps.ts";
import { setSessionCookies } from "../session/cookies.ts";
import { clientOf, openSession } from "../session/open-session.ts";
import { createFirstUser, isSetupLinkOpen } from "./first-run.ts";
import { setupDonePage, setupFormPage, setupLinkDeadPage } from "./setup-page.ts";

/** What these pages need. */
interface SetupDeps extends AuthDeps {
	/** True when whoever made the account goes on in the application. */
	readonly hasDashboard: boolean;
}

const answers = { 200: HtmlPage, 303: Type.Null(), 404: HtmlPage, 422: HtmlPage };
const schema = { tags: ["Setup"], hide: true, response: answers };
const config = { guard: { kind: "public" } } as const;

/** The pages behind the first-run link, at the root of the host: a form that works without JavaScript. */
export function registerSetup(app: App, deps: SetupDeps): void {
	app.register(async (pages) => {
		acceptForms(pages as App);
		pages.route({
			method: "GET",
			url: "/setup",
			schema: { ...schema, summary: "The form that creates the first account" },
			config,
			handler: async (request, reply) => {
				const token = fieldOf(request.query, "token");
				if (!(await isSetupLinkOpen(deps, token))) return send(reply, 404, setupLinkDeadPage);
				return send(reply, 200, setupFormPage({ token, name: "", email: "" }));
			},
		});
		pages.route({
			method: "POST",
			url: "/setup",
			schema: { ...schema, summary: "Create the first account" },
			config,
			handler: async (request, reply) => {
				const form = {
					token: fieldOf(request.body, "token"),
					name: fieldOf(request.body, "name"),
					email: fieldOf(request.body, "email"),
				};
				if (!(await isSetupLinkOpen(deps, form.token))) return send(reply, 404, setupLinkDeadPage);
				try {
					const password = fieldOf(request.body, "password");
					const user = await createFirstUser(deps, { ...form, password, ip: request.ip });
					return await goOn(deps, { request, reply }, user);
				} catch (error) {
					if (!(error instanceof ServiceError)) throw error;
					if (error.code === "not_found") return send(reply, 404, setupLinkDeadPage);
					if (error.code !== "validation_error") throw error;
					return send(reply, 422, setupFormPage({ ...form, faults: faultsOf(error, labels) }));
				}
			},
		});
	});
}

/** Whoever made the account is signed in and led into the application; where there is none, a page says what comes next. */
async function goOn(
	deps: SetupDeps,
	{ request, reply }: { request: FastifyRequest; reply: FastifyReply },
	user: UserRow,
): Promise<FastifyReply> {
	if (!deps.hasDashboard) {
		const root = `${request.protocol}://${request.host}`;
		return send(reply, 200, setupDonePage({ email: user.email, root }));
	}
	const { secrets } = await openSession(deps, user, clientOf(request));
	setSessionCookies(reply, secrets, deps.cookieSecure);
	return reply.header("referrer-policy", "no-referrer").redirect("/", 303);
}

/** The token stands in the address of the form, so no other page is told where its reader comes from. */
const send = (reply: FastifyReply, status: number, page: Page): FastifyReply =>
	sendPage(reply, status, page, "no-referrer");

const labels = {
	email: "The e-mail address",
	name: "The name",
	password: "The password",
} as const;
