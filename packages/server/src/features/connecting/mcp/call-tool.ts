import { ServiceError } from "../../../platform/errors/service-error.ts";
import { trimTexts } from "../../../platform/http/coerce.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Asker } from "./asker.ts";
import { comparedDays, daysMeant, isAboutDays } from "./days.ts";
import { presentFault, presentReport, type ToolAnswer } from "./present.ts";
import type { ReadyTool } from "./report-tools.ts";
import { type Arguments, type RouteParameters, routeCall, takes } from "./route-parameters.ts";
import { findSite, listSites, listSitesTool, siteNamed } from "./sites.ts";

/** Dependencies of tools. */
export interface ToolDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
}

/** Asks the route of a report tool. Faults of the arguments are thrown, those that the route finds are answered. */
async function askReport(deps: ToolDeps, asker: Asker, tool: ReadyTool, given: Arguments): Promise<ToolAnswer> {
	const { instead } = tool;
	const isInstead = instead !== undefined && given[tool.tool.instead?.given ?? ""] !== undefined;
	const route = isInstead ? instead : tool.route;
	checkNames(route, given, tool);
	const asked = withSizes(tool, route, given);
	const site_id = await siteNamed(deps.metadata, asker, asked);
	const site = await findSite(deps.metadata, asker, site_id);
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

/** Dependencies of calling tools. */
export interface CallDeps extends ToolDeps {
	/** Report tools by name. */
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
