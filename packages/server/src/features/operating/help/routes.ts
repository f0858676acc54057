import { Type } from "typebox";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { KEPT_FOR_EVER, sendBuiltFile } from "../../../platform/http/built-files.ts";
import type { Help } from "./built-help.ts";

interface HelpDeps {
	readonly help: Help;
}

/** Scripts, styles and pictures of this service alone. The pages have no forms and may not be framed. */
const policy = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self'",
	"connect-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
	"require-trusted-types-for 'script'",
	"trusted-types 'none'",
].join("; ");

const pageHeaders = {
	// Kept, and asked for again each time by its tag: a new version shows at once.
	"cache-control": "no-cache",
	"content-security-policy": policy,
	"x-robots-tag": "noindex",
};

const method = ["GET", "HEAD"];
const tags = ["Help"];
const config = { guard: { kind: "public" }, limit: "none" } as const;

/** Registers the pages of the help and what they load. None of them is limited, and none looks at who asks. */
export function registerHelp(app: App, { help }: HelpDeps): void {
	for (const url of ["/help", "/help/*"]) {
		app.route({
			method,
			url,
			schema: {
				tags,
				hide: true,
				summary: "A page of the help",
				response: { 200: Type.Unknown(), 404: Type.Unknown() },
			},
			config,
			handler: async (request, reply) => {
				const { "*": path = "" } = request.params as { readonly "*"?: string };
				const page = help.pages.get(path.replace(/\/$/, ""));
				reply.headers(pageHeaders);
				return page === undefined
					? reply.code(404).type(help.missing.type).send(help.missing.body)
					: sendBuiltFile(request, reply, page);
			},
		});
	}
	app.route({
		method,
		url: "/help/assets/:name",
		schema: { tags, hide: true, summary: "A file of the help", response: { 200: Type.Unknown() } },
		config,
		handler: async (request, reply) => {
			const { name = "" } = request.params as { readonly name?: string };
			const file = help.assets.get(name);
			if (file === undefined) throw new ServiceError("not_found");
			return sendBuiltFile(request, reply.header("cache-control", KEPT_FOR_EVER), file);
		},
	});
}
