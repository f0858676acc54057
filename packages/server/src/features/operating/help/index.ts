import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Type } from "typebox";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { type BuiltFile, KEPT_FOR_EVER, readBuiltFiles, sendBuiltFile } from "../../../platform/http/built-files.ts";

/** Where the help of this checkout is built. */
const built = fileURLToPath(new URL("../../../../../help/dist/", import.meta.url));

/** The built help, in memory: it weighs some three megabytes. */
export interface Help {
	/** Its pages by their address below `/help/`; that of `/help` is empty. */
	readonly pages: ReadonlyMap<string, BuiltFile>;
	/** Page for unknown addresses. */
	readonly missing: BuiltFile;
	/** Files whose names tell what is in them, by name. */
	readonly assets: ReadonlyMap<string, BuiltFile>;
}

export function readHelp(directory: string = built): Help | undefined {
	const pages = join(directory, "pages");
	if (!existsSync(join(pages, "index.html"))) return undefined;
	const all = new Map([...pagesIn(pages, ""), ...pagesIn(join(pages, "decisions"), "decisions/")]);
	const missing = all.get("404");
	if (missing === undefined) throw new Error("The help has no page for what is missing: build it again");
	all.delete("404");
	return { pages: all, missing, assets: readBuiltFiles(join(directory, "assets")) };
}

const pagesIn = (directory: string, prefix: string): (readonly [string, BuiltFile])[] =>
	existsSync(directory)
		? [...readBuiltFiles(directory)].map(([name, file]) => [addressOf(prefix + name), file] as const)
		: [];

const addressOf = (name: string): string => name.replace(/(^index)?\.html$/, "");

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
export function registerHelp(app: App, { help }: { readonly help: Help }): void {
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
