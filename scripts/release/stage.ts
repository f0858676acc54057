import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { bundleOf, copyBundle } from "./bundled.ts";
import { noticesOf } from "./notices.ts";
import { packedName, toJavaScript } from "./strip-types.ts";
import { readManifest, tracePackages } from "./trace-packages.ts";

/** Name of the server's package in the registry; docs/decisions/0022 says why it is not the program's. */
export const packageName = "footfall-analytics";

const server = "packages/server";
const entryPoints = [
	`${server}/bin/footfall.mjs`,
	// Processes of their own, and the engine that the store loads by name.
	`${server}/src/features/collecting/imports/import-process.ts`,
	`${server}/src/features/operating/backup/copy-process.ts`,
	`${server}/src/platform/event-store/embedded/store-process.ts`,
	"node_modules/chdb/index.js",
	"node_modules/chdb/dist/loader.js",
];
/** How a source names a program that it starts as a process. */
const startedProgram = /`([\w./-]+)\$\{extname\(import\.meta\.filename\)\}`/g;
const builtFolders = ["packages/dashboard/dist", "packages/help/dist", "packages/tracker/dist"];
/** Browser bundles of each part that contain third-party code. */
const inBrowsers = {
	"packages/dashboard": ["src/main.tsx", "src/boot.ts"],
	"packages/help": ["src/browser/search.ts"],
};
/** Dependencies of which only types are used. */
const typesOnly = new Set(["@fastify/type-provider-typebox"]);
const plainFiles = ["LICENSE", "CHANGELOG.md", "packages/tracker/LICENSE"];

/** Puts together in `stage` what the package of the server holds: scripts without types, built files, and the packages that it loads. */
export async function stagePackage(root: string, stage: string): Promise<void> {
	rmSync(stage, { recursive: true, force: true });
	for (const folder of builtFolders) {
		if (!existsSync(join(root, folder))) throw new Error(`${folder} is not built: run node scripts/setup.mjs`);
		cpSync(join(root, folder), join(stage, folder), { recursive: true });
	}
	for (const file of plainFiles) cpSync(join(root, file), join(stage, file));
	cpSync(join(root, server, "README.md"), join(stage, "README.md"));
	copySources(root, stage);
	const bundle = bundleOf(root, await tracePackages(root, entryPoints));
	copyBundle(root, bundle, stage);
	for (const [part, entries] of Object.entries(inBrowsers)) {
		const traced = await tracePackages(
			root,
			entries.map((entry) => `${part}/${entry}`),
		);
		writeFileSync(join(stage, part, "THIRD-PARTY-NOTICES.txt"), noticesOf(root, traced));
	}
	const names = new Set(bundle.packages.map(({ name }) => name));
	writeJson(join(stage, "package.json"), manifestOf(root, names, bundle.ofPlatforms));
}

function copySources(root: string, stage: string): void {
	const { name, version } = readManifest(join(root, server));
	mkdirSync(join(stage, server), { recursive: true });
	writeJson(join(stage, server, "package.json"), { name, version, private: true, type: "module" });
	const patterns = ["bin/*.mjs", "{src,migrations}/**/*.ts"].map((pattern) => `${server}/${pattern}`);
	for (const file of globSync(patterns, { cwd: root, exclude: ["**/*.test.ts"] })) {
		for (const [, name] of readFileSync(join(root, file), "utf8").matchAll(startedProgram)) {
			const program = join(dirname(file), `${name}.ts`);
			if (!entryPoints.includes(program)) throw new Error(`${file} starts ${program}, whose packages are not traced`);
		}
		const target = join(stage, packedName(file));
		mkdirSync(dirname(target), { recursive: true });
		writeFileSync(target, toJavaScript(join(root, file)), { mode: basename(file) === "footfall.mjs" ? 0o755 : 0o644 });
	}
}

function manifestOf(root: string, bundled: ReadonlySet<string>, ofPlatforms: Readonly<Record<string, string>>) {
	const { description, license, engines, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
	const { dependencies = {}, optionalDependencies } = readManifest(join(root, server));
	const needs = Object.entries(dependencies);
	const wanted = Object.fromEntries(needs.filter(([name]) => !typesOnly.has(name)));
	const missing = Object.keys(wanted).filter((name) => !bundled.has(name));
	if (missing.length > 0) throw new Error(`Nothing of these dependencies is loaded: ${missing.join(", ")}`);
	return {
		name: packageName,
		version,
		description,
		license,
		type: "module",
		bin: { footfall: `${server}/bin/footfall.mjs` },
		engines,
		os: ["linux", "darwin"],
		cpu: ["x64", "arm64"],
		dependencies: wanted,
		bundleDependencies: Object.keys(wanted),
		optionalDependencies: { ...optionalDependencies, ...ofPlatforms },
	};
}

const writeJson = (path: string, content: unknown) =>
	writeFileSync(path, `${JSON.stringify(content, undefined, "\t")}\n`);
