import { type RouteParameters, readParameters } from "./route-parameters.ts";
import { type InputSchema, inputSchemaOf } from "./tool-schema.ts";
import { type ReportTool, reportTools } from "./tools.ts";

/** A report tool with what its routes take. */
export interface ReadyTool {
	readonly tool: ReportTool;
	readonly inputSchema: InputSchema;
	readonly route: RouteParameters;
	readonly instead: RouteParameters | undefined;
}

/** Parameters of every report that are of no use to a model. */
const forPeople = ["explain"];

/** Every report tool by name; throws when one has no route, so that the app does not start. */
export function readyTools(schemaOf: Parameters<typeof readParameters>[0]): ReadonlyMap<string, ReadyTool> {
	return new Map(
		reportTools.map((tool) => {
			const idle = [...forPeople, ...(tool.idle ?? [])];
			const route = readParameters(schemaOf, tool.route, idle);
			const instead = tool.instead && readParameters(schemaOf, tool.instead.route, idle);
			return [tool.name, { tool, route, instead, inputSchema: inputSchemaOf(route, instead) }];
		}),
	);
}
