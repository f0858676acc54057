import type { Session } from "./accounts.ts";
import { namesSites, type Operation, type Parameter, statsOperations } from "./operations.ts";
import type { TestApp } from "./test-app.ts";

interface Asked {
	readonly site: string;
	/** `YYYY-MM-DD` */
	readonly from: string;
	readonly to: string;
}

/** Answers of every operation below `/stats` for a site and some days: status and body by method and path. */
export async function everyReport(
	app: TestApp,
	{ headers }: Pick<Session, "headers">,
	asked: Asked,
): Promise<Map<string, { readonly status: number; readonly body: unknown }>> {
	const answers = new Map<string, { readonly status: number; readonly body: unknown }>();
	for (const operation of statsOperations(app)) {
		const query = Object.fromEntries(operation.parameters.flatMap((parameter) => textOf(parameter, asked)));
		const body = operation.method === "POST" ? { payload: bodyOf(operation, asked) } : {};
		const answer = await app.inject({ method: operation.method, url: operation.path, query, headers, ...body });
		const isJson = String(answer.headers["content-type"]).startsWith("application/json");
		const read: unknown = isJson ? withoutMoment(answer.json()) : answer.body;
		answers.set(`${operation.method} ${operation.path}`, { status: answer.statusCode, body: read });
	}
	return answers;
}

function textOf(parameter: Parameter, { site, from, to }: Asked): [string, string][] {
	const { name, required, schema } = parameter;
	if (namesSites(parameter)) return [[name, site]];
	if (name === "date_from") return [[name, from]];
	if (name === "date_to") return [[name, to]];
	if (required !== true) return [];
	return [[name, schema.enum?.[0] ?? "purchase"]];
}

function bodyOf({ path }: Operation, { from, to }: Asked): object {
	const days = { date_from: from, date_to: to };
	if (path.endsWith("/funnel")) return { ...days, name: "Sale", steps: ["/", "/*"] };
	if (path.endsWith("/explain")) return { ...days, metric: "revenue", compare: "previous" };
	return { ...days, dimensions: ["utm_source", "browser"] };
}

/** How long the engine took is no figure of a report. */
function withoutMoment(answer: Record<string, unknown>): unknown {
	return JSON.parse(JSON.stringify(answer), (key, value: unknown) =>
		["query_time_ms", "took_ms", "elapsed_ms", "generated_at", "request_id"].includes(key) ? undefined : value,
	);
}
