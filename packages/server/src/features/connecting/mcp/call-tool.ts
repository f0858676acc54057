import { actingAs, type Caller, findSiteFor, reachableSitesOf } from "../../../access/index.ts";
import { BadQuestion } from "../../../analytics/query/question/bad-question.ts";
import type { DateRange } from "../../../analytics/query/question/date-range.ts";
import { type Period, periods } from "../../../analytics/query/question/periods.ts";
import { comparedRange, comparisonNames } from "../../../analytics/query/question/resolve-comparison.ts";
import { resolveRange } from "../../../analytics/query/question/resolve-range.ts";
import { fieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { trimTexts } from "../../../platform/http/coerce.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import { listSites as sitesAmong } from "../../tenancy/sites/index.ts";
import { presentFault, presentReport, presentSites, type ToolAnswer } from "./present.ts";
import {
	type Arguments,
	type InputSchema,
	type ReadyTool,
	type RouteCall,
	type RouteParameters,
	routeCall,
	takes,
} from "./report-tools.ts";

/** Caller of a tool, and their rights. */
export interface Asker {
	readonly caller: Caller;
	/** False when the caller's address shuts a site. */
	isSiteOpenHere(siteId: string): boolean;
	/** Asks a route of the service as this caller: guards, checks and answers are the route's own. */
	ask(call: RouteCall): Promise<{ readonly status: number; readonly body: unknown }>;
}

/** The caller of a request as one who asks tools: routes are asked on their behalf and from their address. */
export function askerOf(
	app: Pick<App, "inject">,
	request: Pick<Asker, "caller" | "isSiteOpenHere"> & {
		readonly ip: string;
		readonly headers: { readonly "user-agent"?: string | undefined };
	},
): Asker {
	const { caller, ip: remoteAddress } = request;
	const headers = { "user-agent": request.headers["user-agent"] };
	return {
		caller,
		isSiteOpenHere: (siteId) => request.isSiteOpenHere(siteId),
		ask: async (call) => {
			const inject = () => app.inject({ ...call, remoteAddress, headers });
			const response = await actingAs(caller, inject, { countsReports: true });
			return { status: response.statusCode, body: response.json() };
		},
	};
}

const dayNames = ["start_date", "end_date", "date_from", "date_to"] as const;

/** True for arguments that decide on the days. */
const isAboutDays = (name: string): boolean => name === "period" || (dayNames as readonly string[]).includes(name);

/**
 * The days that the arguments of a report mean. Undefined when they mean none: the route is asked as it is, to say what is
 * wrong with them.
 */
function daysMeant(given: Arguments, timezone: string, clock: Clock): DateRange | undefined {
	const texts = ["period", ...dayNames].flatMap((name) => {
		const [value, ...more] = [given[name]].flat();
		return value === undefined ? [] : [[name, more.length === 0 ? String(value) : ""] as const];
	});
	const { period, ...days } = Object.fromEntries(texts);
	if (period !== undefined && !isPeriod(period)) return undefined;
	return understood(() => resolveRange({ ...days, ...(period !== undefined && { period }) }, { timezone, clock }));
}

const isPeriod = (text: string): text is Period => Object.hasOwn(periods, text);

/** The days that a report compares with, given its own; undefined also where the arguments do not say which. */
function comparedDays(range: DateRange, given: Arguments): DateRange | undefined {
	const word = given.compare ?? (given.compare_start === undefined ? undefined : "custom");
	const compare = word === "true" ? "previous" : comparisonNames.find((name) => name === word);
	const text = (name: string) => given[name]?.toString();
	const days = { compare_start: text("compare_start"), compare_end: text("compare_end") };
	return understood(() => comparedRange({ compare, ...days }, range));
}

/** The parsed value; undefined if it is invalid. */
function understood<T>(read: () => T): T | undefined {
	try {
		return read();
	} catch (error) {
		if (error instanceof ServiceError || error instanceof BadQuestion) return undefined;
		throw error;
	}
}

/** Sites that an error names. */
const NAMED = 20;

/** The sites that the asker may open from here, newest first. */
async function openSites(metadata: Metadata, asker: Asker, includeInactive: boolean) {
	const reach = (await reachableSitesOf(metadata, asker.caller)).map(({ id }) => id);
	const ids = reach.filter((id) => asker.isSiteOpenHere(id));
	return sitesAmong(metadata, { ids, includeInactive });
}

/** The site that a call is about: the one it names, else the only active one in reach. 422 on `site_id` when there are several. */
async function siteNamed(metadata: Metadata, asker: Asker, given: Arguments): Promise<string> {
	const named = given.site_id ?? given.account_id;
	if (named !== undefined) return String(named);
	const sites = await openSites(metadata, asker, false);
	const [only, second] = sites;
	if (only === undefined) throw new ServiceError("account_not_found", "You have access to no site");
	if (second === undefined) return only.id;
	const names = sites.slice(0, NAMED).map(({ id }) => id);
	const more = sites.length > NAMED ? ` and ${sites.length - NAMED} more (list_sites)` : "";
	throw fieldError("site_id", `Must be one of your sites: ${names.join(", ")}${more}`, "missing");
}

/** The tool that tells which sites there are to ask about. */
export const listSitesTool = {
	name: "list_sites",
	title: "Sites",
	description: "Sites you have access to, with their site_id, time zone and currency.",
	inputSchema: {
		type: "object",
		properties: {
			include_inactive: { type: "boolean", default: false, description: "Include inactive sites" },
		},
		required: [],
		additionalProperties: false,
	} satisfies InputSchema,
};

async function listSites({ metadata }: ChangeDeps, asker: Asker, given: Arguments): Promise<ToolAnswer> {
	const [unknown] = Object.keys(given).filter((name) => name !== "include_inactive");
	if (unknown !== undefined) throw fieldError(unknown.slice(0, 64), "No such argument", "unknown");
	const includeInactive = given.include_inactive ?? false;
	if (typeof includeInactive !== "boolean") throw fieldError("include_inactive", "must be boolean", "boolean_type");
	return presentSites(await openSites(metadata, asker, includeInactive));
}

/** Asks the route of a report tool. Faults of the arguments are thrown, those that the route finds are answered. */
async function askReport(deps: ChangeDeps, asker: Asker, tool: ReadyTool, given: Arguments): Promise<ToolAnswer> {
	const { instead } = tool;
	const isInstead = instead !== undefined && given[tool.tool.instead?.given ?? ""] !== undefined;
	const route = isInstead ? instead : tool.route;
	checkNames(route, given, tool);
	const asked = withSizes(tool, route, given);
	const site_id = await siteNamed(deps.metadata, asker, asked);
	// The route checks the caller's access.
	const site = await findSiteFor(deps.metadata, site_id, asker.caller.userId);
	const range = site && daysMeant(asked, site.timezone, deps.clock);
	const { status, body } = await asker.ask(routeCall(route, { ...pinDays(route, asked, range), site_id }));
	if (status !== 200 || site === undefined) return presentFault((body as { readonly error: ServiceError }).error);
	return presentReport({ site, range, compared: range && comparedDays(range, asked) }, body as object);
}

/** A route leaves out what it does not know; a model must hear that its argument would have had no effect. */
function checkNames(route: RouteParameters, given: Arguments, { tool, instead }: ReadyTool): void {
	const reason = (name: string) =>
		instead !== undefined && takes(instead, name) ? `Only with \`${tool.instead?.given}\`` : "No such argument";
	const detail = Object.keys(given)
		.filter((name) => !takes(route, name))
		.map((name) => ({ field: name.slice(0, 64), message: reason(name), type: "unknown" }));
	if (detail.length > 0) throw new ServiceError("validation_error", { detail: detail.slice(0, 20) });
}

/** Answers of a model's usual size unless another was asked for. */
function withSizes({ inputSchema }: ReadyTool, route: RouteParameters, given: Arguments): Arguments {
	const sizes = ["page_size", "limit"].filter((name) => takes(route, name));
	return { ...Object.fromEntries(sizes.map((name) => [name, inputSchema.properties[name]?.default])), ...given };
}

/** The days instead of what meant them, so that the route cannot take midnight to have passed meanwhile. */
function pinDays(route: RouteParameters, given: Arguments, range: ReturnType<typeof daysMeant>): Arguments {
	if (range === undefined || !takes(route, "period")) return given;
	const others = Object.entries(given).filter(([name]) => !isAboutDays(name));
	return { ...Object.fromEntries(others), start_date: range.start.toString(), end_date: range.end.toString() };
}

export interface CallDeps extends ChangeDeps {
	readonly tools: ReadonlyMap<string, ReadyTool>;
	/** Told of what went wrong within the service. */
	readonly onError: (error: unknown) => void;
}

/** Calls a tool; undefined when there is none of that name. Never throws: a fault is an answer that a model can act on. */
export async function callTool(
	deps: CallDeps,
	asker: Asker,
	call: { readonly name: string; readonly given: Arguments },
): Promise<ToolAnswer | undefined> {
	const tool = deps.tools.get(call.name);
	if (tool === undefined && call.name !== listSitesTool.name) return undefined;
	try {
		const given = readArguments(call.given);
		return await (tool === undefined ? listSites(deps, asker, given) : askReport(deps, asker, tool, given));
	} catch (error) {
		if (error instanceof ServiceError && !error.isOurs) return presentFault(error);
		deps.onError(error);
		return presentFault(error instanceof ServiceError ? error : new ServiceError("internal_error"));
	}
}

/** Texts are trimmed as those of a body are, and models write null for what they leave out. */
function readArguments(given: Arguments): Arguments {
	const trimmed = Object.entries(given).map(([name, value]) => [name, trimTexts(value)]);
	return Object.fromEntries(trimmed.filter(([, value]) => value !== null));
}
