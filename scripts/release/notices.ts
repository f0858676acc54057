import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readManifest, type TracedPackage } from "./trace-packages.ts";

const licenceFile = /^(licen[cs]e|notice|copying)([.-].*)?$/i;

/** Names of the files in a package's folder that hold its licence. */
export const licenceFiles = (folder: string): string[] => readdirSync(folder).filter((name) => licenceFile.test(name));

/** The licences of packages whose code became part of built files. */
export function noticesOf(root: string, packages: readonly TracedPackage[]): string {
	const texts = packages.map(({ folder }) => {
		const at = join(root, folder);
		const { name, version, license = "" } = readManifest(at);
		const licences = licenceFiles(at).map((file) => readFileSync(join(at, file), "utf8").trim());
		return [`${name} ${version} (${license})`, ...licences].join("\n\n");
	});
	const line = `\n\n${"-".repeat(72)}\n\n`;
	return `The files that browsers load hold code of these packages.${line}${texts.join(line)}\n`;
}
