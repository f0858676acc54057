/** The application for the browser: its files, and the page with what it needs to begin. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { browserSession, cookieNames } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { type BuiltFile, KEPT_FOR_EVER, readBuiltFiles, sendBuiltFile } from "../../../platform/http/built-files.ts";
import { languages } from "../../../platform/http/pages/languages.ts";
import { type Page, sendPage } from "../../../platform/http/pages/page.ts";
import { minutelyAlone } from "../../../platform/http/rate-limit/route-limit.ts";

interface DashboardDeps {
	readonly dashboard: Dashboard;
	readonly config: () => Promise<{ readonly version: string; readonly setup_required: boolean }>;
	/** Shown at the root instead of the application until the first account exists. */
	readonly setupPage: Page;
	/** State of a shared link before it is opened, and the origins that may embed it; undefined for an invalid one. */
	readonly sharedLink: (
		token: string,
	) => Promise<{ readonly asksPassword: boolean; readonly embedOrigins: readonly string[] } | undefined>;
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
			const { footfall_lang: lang, footfall_theme: theme } = request.cookies;
			const reader = readerOf({ lang, theme }, request.headers["accept-language"]);
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
			// By the address, as the page has no cookies.
			const reader = readerOf(request.query as Record<string, unknown>, request.headers["accept-language"]);
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

/** Where the dashboard of this checkout is built. */
const built = fileURLToPath(new URL("../../../../../dashboard/dist/", import.meta.url));

/** The built dashboard, in memory: it weighs a few megabytes at most. */
export interface Dashboard {
	readonly template: Template;
	/** Patterns of the addresses that are the page; `/*` at the end stands for whatever comes below, and for nothing. */
	readonly patterns: readonly string[];
	/** Files whose names tell what is in them, by name. */
	readonly assets: ReadonlyMap<string, BuiltFile>;
	/** Files that are asked for at the root of the host, by name. */
	readonly rootFiles: ReadonlyMap<string, BuiltFile>;
}

/** Reads the built dashboard; undefined when there is none. Throws when what is there was not built for this server. */
export function readDashboard(directory: string = built): Dashboard | undefined {
	const page = join(directory, "index.html");
	if (!existsSync(page)) return undefined;
	const pages = ["index.html", ...languages.map((language) => `index.${language}.html`)];
	const own = new Set([...pages, "routes.json", "favicon.ico"]);
	return {
		template: readTemplates(directory),
		patterns: readPatterns(join(directory, "routes.json")),
		assets: readBuiltFiles(join(directory, "assets")),
		rootFiles: readBuiltFiles(directory, own),
	};
}

/** The page of each language that has one of its own, `index.es.html`; `index.html` for the others. */
function readTemplates(directory: string): Template {
	const read = (name: string) => readTemplate(readFileSync(join(directory, name), "utf8"));
	const usual = read("index.html");
	const own = new Map(
		languages
			.map((language) => [language, `index.${language}.html`] as const)
			.filter(([, name]) => existsSync(join(directory, name)))
			.map(([language, name]) => [language, read(name)]),
	);
	return (reader, boot) => (own.get(reader.language) ?? usual)(reader, boot);
}

function readPatterns(path: string): readonly string[] {
	const patterns: unknown = JSON.parse(readFileSync(path, "utf8"));
	if (Array.isArray(patterns) && patterns.every((pattern) => typeof pattern === "string" && pattern.startsWith("/")))
		return patterns;
	throw new Error("routes.json of the dashboard is no list of addresses: build it again");
}

const themes = ["auto", "light", "dark"] as const;

/** How somebody wants to see the application; it keeps both in cookies, so that the page comes right at once. */
interface Reader {
	readonly language: (typeof languages)[number];
	readonly theme: (typeof themes)[number];
}

/** The reader's choices; the language is else the first of the browser's that there is, or English. */
const readerOf = (chosen: { lang?: unknown; theme?: unknown }, acceptLanguage: string | undefined): Reader => ({
	language: languages.find((name) => name === chosen.lang) ?? preferred(acceptLanguage) ?? "en",
	theme: themes.find((name) => name === chosen.theme) ?? "auto",
});

/** The language that an `Accept-Language` header likes best (RFC 9110, 12.5.4), of those that there are. */
function preferred(header = ""): Reader["language"] | undefined {
	const wishes = header.split(",").map((part) => {
		const [range = "", ...parameters] = part.toLowerCase().split(";");
		const weight = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean);
		return { primary: range.trim().split("-", 1)[0], weight: Number(weight ?? 1) };
	});
	const best = wishes.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
	return best.flatMap(({ primary }) => languages.find((name) => name === primary) ?? [])[0];
}

/** Data in the page: version of the service, whether there is a session, public settings. */
interface Boot {
	readonly version: string;
	/** `stale`: the session has to be refreshed first. */
	readonly session: "fresh" | "stale" | "none";
	/** The answer of `GET /config`. */
	readonly config: object;
	/** On the page of a shared link: whether it shows anything, and asks for a password first. */
	readonly share?: "open" | "locked" | "gone";
}

/** The page for a reader. */
type Template = (reader: Reader, boot: Boot) => string;

const language = 'lang="en"';
const theme = 'data-theme="auto"';
const boot = '<script type="application/json" id="boot">{}</script>';

/** Takes the page as it was built for a template; throws where a place for what a request brings is missing. */
export function readTemplate(page: string): Template {
	const missing = [language, theme, boot].filter((place) => !page.includes(place));
	if (missing.length > 0) throw new Error(`index.html of the dashboard lacks ${missing.join(", ")}: build it again`);
	return (reader, known) =>
		page
			.replace(language, `lang="${reader.language}"`)
			.replace(theme, `data-theme="${reader.theme}"`)
			.replace(boot, () => boot.replace("{}", () => inScript(known)));
}

/** JSON that cannot end the element that it stands in. */
const inScript = (value: object): string => JSON.stringify(value).replaceAll("<", "\\u003c");
