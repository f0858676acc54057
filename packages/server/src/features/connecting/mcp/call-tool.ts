import { ServiceError } from "../../../platform/errors/service-error.ts";
import { trimTexts } from "../../../platform/http/coerce.ts";
import { askReport, type ToolDeps } from "./ask-report.ts";
import type { Asker } from "./asker.ts";
import { listSites, listSitesTool } from "./list-sites.ts";
import { presentFault, type ToolAnswer } from "./present.ts";
import type { ReadyTool } from "./report-tools.ts";
import type { Arguments } from "./route-parameters.ts";

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
