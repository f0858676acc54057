import type { FastifyReply } from "fastify";
import { ServiceError } from "../../../../platform/errors/service-error.ts";
import type { App } from "../../../../platform/http/app.ts";
import { faultsOf } from "../../../../platform/http/pages/faults.ts";
import { acceptForms, fieldOf } from "../../../../platform/http/pages/forms.ts";
import { HtmlPage } from "../../../../platform/http/pages/open-pages.ts";
import { type Page, sendPage } from "../../../../platform/http/pages/page.ts";
import type { Clock } from "../../../../platform/lib/clock.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { createFirstUser, isSetupLinkOpen } from "./first-run.ts";
import { setupDonePage, setupFormPage, setupLinkDeadPage } from "./setup-page.ts";

const schema = { tags: ["Setup"], hide: true, response: { 200: HtmlPage, 404: HtmlPage, 422: HtmlPage } };
const config = { guard: { kind: "public" } } as const;

/** The pages behind the first-run link, at the root of the host: a form that works without JavaScript. */
export function registerSetup(app: App, deps: { metadata: Metadata; clock: Clock }): void {
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
					const root = `${request.protocol}://${request.host}`;
					return send(reply, 200, setupDonePage({ email: user.email, root }));
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

/** The token stands in the address of the form, so no other page is told where its reader comes from. */
const send = (reply: FastifyReply, status: number, page: Page): FastifyReply =>
	sendPage(reply, status, page, "no-referrer");

const labels = {
	email: "The e-mail address",
	name: "The name",
	password: "The password",
} as const;
