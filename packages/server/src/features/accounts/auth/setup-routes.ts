import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import { ApiError } from "../../../platform/http/api-error.ts";
import type { App } from "../../../platform/http/app.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { createFirstUser, isSetupLinkOpen } from "./first-run.ts";
import { setupDonePage, setupFormPage, setupLinkDeadPage, setupPagePolicy } from "./setup-page.ts";

const Html = Type.String({ description: "An HTML page" });
const schema = { tags: ["Setup"], hide: true, response: { 200: Html, 404: Html, 422: Html } };
const config = { guard: { kind: "public" } } as const;

/** The pages behind the first-run link, at the root of the host: a form that works without JavaScript. */
export function registerSetup(app: App, deps: { metadata: Metadata; clock: Clock }): void {
	app.register(async (pages) => {
		pages.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) =>
			done(null, Object.fromEntries(new URLSearchParams(String(body)))),
		);
		pages.route({
			method: "GET",
			url: "/setup",
			schema: { ...schema, summary: "The form that creates the first account" },
			config,
			handler: async (request, reply) => {
				const token = textOf(request.query, "token");
				if (!(await isSetupLinkOpen(deps, token))) return send(reply, 404, setupLinkDeadPage());
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
					token: textOf(request.body, "token"),
					name: textOf(request.body, "name"),
					email: textOf(request.body, "email"),
				};
				if (!(await isSetupLinkOpen(deps, form.token))) return send(reply, 404, setupLinkDeadPage());
				try {
					const user = await createFirstUser(deps, { ...form, password: textOf(request.body, "password") });
					return send(reply, 200, setupDonePage(user.email));
				} catch (error) {
					if (!(error instanceof ApiError)) throw error;
					if (error.code === "not_found") return send(reply, 404, setupLinkDeadPage());
					if (error.code !== "validation_error") throw error;
					return send(reply, 422, setupFormPage({ ...form, error: sentence(error) }));
				}
			},
		});
	});
}

function send(reply: FastifyReply, status: number, html: string): FastifyReply {
	return reply
		.code(status)
		.header("cache-control", "no-store")
		.header("content-security-policy", setupPagePolicy)
		.header("referrer-policy", "no-referrer")
		.type("text/html; charset=utf-8")
		.send(html);
}

function textOf(fields: unknown, name: string): string {
	if (typeof fields !== "object" || fields === null) return "";
	const value: unknown = (fields as Record<string, unknown>)[name];
	return typeof value === "string" ? value.trim() : "";
}

const labels: Readonly<Record<string, string>> = {
	"body.email": "The e-mail address",
	"body.name": "The name",
	"body.password": "The password",
};

const sentence = (error: ApiError): string =>
	(error.detail ?? []).map(({ field, message }) => `${labels[field] ?? "A field"} ${message}.`).join(" ");
