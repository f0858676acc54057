import { existsSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join, resolve } from "node:path";

/** `from "./x.ts"`, `import "./x.ts"`, `import("./x.ts")`. */
const specifier = /\b(from|import)(\s*\(?\s*)"(\.{1,2}\/[^"\n]+)\.ts"/g;

/** Any other literal that names a source; in the package that file ends in `.js`. Comments may. */
const otherName = /^(?!\s*(?:\/?\*|\/\/)).*?(["'`][^"'`\n]*\.ts["'`])/m;

/**
 * The JavaScript of a source: Node strips no types below `node_modules`. Types become blanks, as when Node strips them itself, so every
 * line and column stays. Throws when it imports a file that is not there, and when it names a source in any other way.
 */
export function toJavaScript(file: string): string {
	const source = readFileSync(file, "utf8");
	const plain = file.endsWith(".ts") ? stripTypeScriptTypes(source, { mode: "strip" }) : source;
	const script = plain.replace(specifier, (_match, word: string, between: string, path: string) => {
		const target = resolve(dirname(file), `${path}.ts`);
		if (!existsSync(target)) throw new Error(`${file} imports ${path}.ts, which is not there`);
		return `${word}${between}"${path}.js"`;
	});
	const name = otherName.exec(script)?.[1];
	if (name !== undefined) throw new Error(`${file} names ${name}, which the package does not hold`);
	return script;
}

/** Where a source lies in the package. */
export const packedName = (path: string): string => join(path.replace(/\.ts$/, ".js"));
