import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A page as it is written. */
export interface Source {
	/** Its address below `/help/`. */
	readonly path: string;
	/** Its file below the root of the checkout. */
	readonly file: string;
	readonly markdown: string;
}

/** The root of the checkout. */
export const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** Pages that lie at the root, by their address. */
const atRoot = { changelog: "CHANGELOG.md", contributing: "CONTRIBUTING.md", "security-policy": "SECURITY.md" };

/** The pages of the checkout: `docs/*.md`, the decisions, and those at the root. */
export function readPages(): readonly Source[] {
	const below = (folder: string, prefix: string) =>
		readdirSync(root + folder)
			.filter((name) => name.endsWith(".md"))
			.sort()
			.map((name) => [`${prefix}${name.slice(0, -3)}`, `${folder}/${name}`] as const);
	const files = [
		...below("docs", ""),
		...below("docs/decisions", "decisions/"),
		...Object.entries(atRoot).filter(([, file]) => existsSync(root + file)),
	];
	return files.map(([path, file]) => ({ path, file, markdown: readFileSync(root + file, "utf8") }));
}
