import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { browserSession, cookieNames } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { type BuiltFile, KEPT_FOR_EVER, sendBuiltFile } from "../../../platform/http/built-files.ts";
import { type Page, sendPage } from "../../../platform/http/pages/page.ts";
import { minutelyAlone } from "../../../platform/http/rate-limit/route-limit.ts";
import type { Dashboard } from "./built-files.ts";
import type { Boot } from "./template.ts";
import { readerOf, readerOfLink } from "./template.ts";

/** A link by which people without an account read a report. */
interface SharedLink {
	readonly asksPassword: boolean;
	/** Origins that may embed it. */
	readonly embedOrigins: readonly string[];
}

interface DashboardDeps {
	readonly dashboard: Dashboard;
	readonly config: () => Promise<{ readonly version: string; readonly setup_required: boolean }>;
	/** Shown at the root instead of the application until the first account exists. */
	readonly setupPage: Page;
	/** State of a shared link before it is opened; undefined for an invalid one. */
	readonly sharedLink: (token: string) => Promise<SharedLink | undefined>;
}

/** Content of this service alone, and no text becomes script. `data:` is the picture with which a second factor is set up. */
const policyFor = (ancestors: string) =>
	[
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self'",
		"img-src 'self' data:",
		"connect-src 'self'",
		"manifest-src 'self'",
		// The preview of a page that others may frame.
		"frame-src 'self'",
		"base-uri 'none'",
		"form-action 'self'",
		`frame-ancestors ${ancestors}`,
		"require-trusted-types-for 'script'",
		"trusted-types 'none'",
	].join("; ");

const pageHeaders = {
	"cache-control": "no-store",
	"content-security-policy": policyFor("'none'"),
	"content-type": "text/html; charset=utf-8",
	"x-robots-tag": "noindex",
};

const FOR_A_DAY = "public, max-age=86400";

const methods = ["GET", "HEAD"];
const tags = ["Dashboard"];

/** Registers the application: its page at the addresses that the build names, and its files. Only pages of shared links are limited. */
export function registerDashboard(app: App, deps: DashboardDeps): void {
	const { patterns, assets, rootFiles } = deps.dashboard;
	const addresses = [...new Set(patterns.flatMap(addressesOf))];
	for (const url of addresses) {
		if (sharedPages.has(url)) registerSharedPage(app, url, deps);
		else registerPage(app, url, deps);
	}
	registerFile(app, "/assets/:name", KEPT_FOR_EVER, (name) => assets.get(name));
	for (const [name, file] of rootFiles) registerFile(app, `/${name}`, FOR_A_DAY, () => file);
}

const addressesOf = (pattern: string): string[] =>
	pattern.endsWith("/*") && pattern !== "/*" ? [pattern.slice(0, -2), pattern] : [pattern];

function registerPage(app: App, url: string, { dashboard, config, setupPage }: DashboardDeps): void {
	app.route({
		method: methods,
		url,
		schema: { tags, hide: true, summary: "The application", response: { 200: Type.String() } },
		config: { guard: { kind: "public", caller: "optional" }, limit: "none" },
		handler: async (request, reply) => {
			const known = await config();
			if (known.setup_required && url === "/") return sendPage(reply, 200, setupPage);
			const boot = { version: known.version, session: sessionOf(request), config: known };
			const reader = readerOf({ cookies: request.cookies, acceptLanguage: request.headers["accept-language"] });
			return reply.headers(pageHeaders).send(dashboard.template(reader, boot));
		},
	});
}

/** Pages of shared links: readers are anonymous, whatever cookies the browser sends. */
const sharedPages: ReadonlySet<string> = new Set(["/share/:token", "/embed/:token"]);

function registerSharedPage(app: App, url: string, { dashboard, config, sharedLink }: DashboardDeps): void {
	const isFramed = url.startsWith("/embed/");
	app.route({
		method: methods,
		url,
		schema: { tags, hide: true, summary: "A shared report", response: { 200: Type.String() } },
		// Each request asks the metadata store.
		config: { guard: { kind: "public" }, limit: [minutelyAlone("shared-page", 300)] },
		handler: async (request, reply) => {
			const known = await config();
			const { token } = request.params as { readonly token: string };
			const reader = readerOfLink(request.query as Record<string, unknown>, request.headers["accept-language"]);
			const link = await sharedLink(token);
			const share = link === undefined ? "gone" : link.asksPassword ? "locked" : "open";
			const page = dashboard.template(reader, { version: known.version, session: "none", config: known, share });
			reply.headers(pageHeaders);
			if (isFramed) admitFrames(reply, link?.embedOrigins ?? []);
			return reply.send(page);
		},
	});
}

/** Lets pages of these origins frame the answer, and this service's own, which shows how it looks there. */
function admitFrames(reply: FastifyReply, origins: readonly string[]): void {
	if (origins.length === 0) return;
	reply.removeHeader("x-frame-options");
	reply.header("content-security-policy", policyFor(["'self'", ...origins].join(" ")));
}

/** The CSRF cookie lives as long as the session, and is all that is left of it here once a quarter of an hour is over. */
function sessionOf({ principal, cookies }: FastifyRequest): Boot["session"] {
	if (browserSession(principal) !== undefined) return "fresh";
	return cookies[cookieNames.csrf] ? "stale" : "none";
}

function registerFile(app: App, url: string, caching: string, find: (name: string) => BuiltFile | undefined): void {
	app.route({
		method: methods,
		url,
		schema: { tags, hide: true, summary: "A file of the application", response: { 200: Type.Unknown() } },
		config: { guard: { kind: "public" }, limit: "none" },
		handler: async (request, reply) => {
			const { name = "" } = request.params as { name?: string };
			const file = find(name);
			if (file === undefined) throw new ServiceError("not_found");
			return sendBuiltFile(request, reply.header("cache-control", caching), file);
		},
	});
}
