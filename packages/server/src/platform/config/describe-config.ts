import type { Config } from "./config.ts";
import { variables } from "./variables.ts";

interface Listed {
	readonly name: string;
	readonly default?: string;
	readonly secret?: true;
	readonly meaning: string;
}

const listed = (): [keyof Config, Listed][] => Object.entries(variables) as [keyof Config, Listed][];

const shown = (value: unknown): string =>
	Array.isArray(value) ? value.join(",") : value === undefined ? "" : String(value);

/** The effective settings as `NAME=value` lines; secrets show only that they are set. */
export const printConfig = (config: Config): string =>
	listed()
		.map(([key, variable]) => {
			const value = config[key];
			return `${variable.name}=${variable.secret === true && value !== undefined ? "********" : shown(value)}`;
		})
		.join("\n");

/** The table of all variables in Markdown, for the operator's manual. */
export const configTable = (): string =>
	[
		"| Variable | Default | Meaning |",
		"|---|---|---|",
		...listed().map(([, { name, default: fallback, meaning }]) => {
			const cell = fallback === undefined || fallback === "" ? "" : `\`${fallback}\``;
			return `| \`${name}\` | ${cell} | ${meaning.replaceAll("|", "\\|")} |`;
		}),
	].join("\n");
