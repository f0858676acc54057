import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

/** A package of which files are loaded at run time. */
export interface TracedPackage {
	readonly name: string;
	/** Its folder in the checkout, relative. */
	readonly folder: string;
	/** Files that are loaded, relative to its folder. */
	readonly files: readonly string[];
}

const inPackage = /^(.*?node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\/(.+)$/;

/** The packages that the entry points load, with those files that can be reached by an import or a `require`. */
export async function tracePackages(root: string, entryPoints: readonly string[]): Promise<TracedPackage[]> {
	const { metafile } = await build({
		absWorkingDir: root,
		entryPoints: [...entryPoints],
		bundle: true,
		metafile: true,
		write: false,
		outdir: "traced",
		platform: "node",
		format: "esm",
		jsx: "automatic",
		// As Node resolves: the bundler's own condition and field would lead to other files.
		conditions: [],
		mainFields: ["main"],
		ignoreAnnotations: true,
		treeShaking: false,
		tsconfigRaw: {},
		loader: { ".node": "empty", ".css": "empty", ".svg": "empty", ".woff2": "empty" },
		logLevel: "error",
	});
	const files = new Map<string, string[]>();
	for (const input of Object.keys(metafile.inputs)) {
		const [, folder, file] = inPackage.exec(input) ?? [];
		if (folder === undefined || file === undefined) continue;
		files.set(folder, [...(files.get(folder) ?? []), file]);
	}
	return [...files].map(([folder, loaded]) => ({ name: nameOf(folder), folder, files: loaded.sort() })).sort(byFolder);
}

const byFolder = (a: TracedPackage, b: TracedPackage) => (a.folder < b.folder ? -1 : 1);

const nameOf = (folder: string) => folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length);

/** The fields of a package's manifest that matter here. */
export interface Manifest {
	readonly name: string;
	readonly version: string;
	readonly license?: string;
	readonly os?: unknown;
	readonly dependencies?: Readonly<Record<string, string>>;
	readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** The manifest in a folder. */
export function readManifest(folder: string): Manifest {
	const path = join(folder, "package.json");
	if (!existsSync(path)) throw new Error(`No package lies in ${folder}`);
	return JSON.parse(readFileSync(path, "utf8"));
}
