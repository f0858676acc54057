import { type Config, fieldOf } from "./config.ts";
import { variables } from "./variables.ts";

interface Listed {
	readonly default?: string;
	readonly secret?: true;
	readonly meaning: string;
}

const listed: readonly (readonly [name: string, variable: Listed])[] = Object.entries(variables);

const shown = (value: unknown): string =>
	Array.isArray(value) ? value.join(",") : value === undefined ? "" : String(value);

/** The effective settings as `NAME=value` lines; secrets show only that they are set. */
export function printConfig(config: Config): string {
	const values: Readonly<Record<string, unknown>> = config;
	return listed
		.map(([name, { secret }]) => {
			const value = values[fieldOf(name)];
			return `${name}=${secret === true && value !== undefined ? "********" : shown(value)}`;
		})
		.join("\n");
}

/** The table of all variables in Markdown, for the operator's manual. */
export const configTable = (): string =>
	[
		"| Variable | Default | Meaning |",
		"|---|---|---|",
		...listed.map(([name, { default: fallback, meaning }]) => {
			const cell = fallback === undefined || fallback === "" ? "" : `\`${fallback}\``;
			return `| \`${name}\` | ${cell} | ${meaning.replaceAll("|", "\\|")} |`;
		}),
	].join("\n");
