import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The manifests of this repository; all have one version. */
const manifestsOf = (folder: string) => globSync(["package.json", "packages/*/package.json"], { cwd: folder }).sort();
const lockfile = "package-lock.json";
/** Other files that name the version, and how: the first group of the pattern is it. */
const mentions: readonly (readonly [string, RegExp])[] = [["deploy/compose.yaml", /^\s+image: footfall:(\S+)$/gm]];

/** A place of the repository that names the version of Footfall. */
export interface VersionPlace {
	readonly place: string;
	readonly version: string;
}

interface Lock {
	version: string;
	packages: Record<string, { version?: string }>;
}

const isOwn = (path: string) => path === "" || (path.startsWith("packages/") && !path.includes("node_modules/"));

/** Every place that names the version, as it stands in the files below `folder`. */
export function versionPlaces(folder: string): VersionPlace[] {
	const text = (file: string) => readFileSync(join(folder, file), "utf8");
	const lock: Lock = JSON.parse(text(lockfile));
	return [
		...manifestsOf(folder).map((file) => ({ place: file, version: String(JSON.parse(text(file)).version) })),
		{ place: lockfile, version: lock.version },
		...Object.entries(lock.packages)
			.filter(([path]) => isOwn(path))
			.map(([path, entry]) => ({ place: `${lockfile} "${path}"`, version: String(entry.version) })),
		...mentions.flatMap(([file, pattern]) =>
			[...text(file).matchAll(pattern)].map((match) => ({ place: file, version: match[1] ?? "" })),
		),
	];
}

/** Writes the version into every place. */
export function setVersion(folder: string, version: string): void {
	for (const file of manifestsOf(folder)) {
		rewriteJson(join(folder, file), (manifest: { version: string }) => {
			manifest.version = version;
		});
	}
	rewriteJson(join(folder, lockfile), (lock: Lock) => {
		lock.version = version;
		for (const [path, entry] of Object.entries(lock.packages)) if (isOwn(path)) entry.version = version;
	});
	for (const [file, pattern] of mentions) {
		const path = join(folder, file);
		const changed = readFileSync(path, "utf8").replace(pattern, (line, old: string) => line.replace(old, version));
		writeFileSync(path, changed);
	}
}

function rewriteJson<T>(path: string, change: (content: T) => void): void {
	const content: T = JSON.parse(readFileSync(path, "utf8"));
	change(content);
	writeFileSync(path, `${JSON.stringify(content, undefined, "\t")}\n`);
}

/** Changelog section of a version; undefined without a section that has entries. */
export function changesOf(changelog: string, version: string): string | undefined {
	const sections = changelog.split(/^## /m);
	const section = sections.find((text) => /^\[?([\w.+-]+)\]?/.exec(text)?.[1] === version);
	const body = section?.slice(section.indexOf("\n")).trim() ?? "";
	return /^- /m.test(body) ? body : undefined;
}
