// Which lines and branches of the server and the dashboard the tests run: `npm run coverage`, or `npm run coverage -- PATTERN`.
// Counts all processes that end by themselves and all pages in Chromium.
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { CoverageReport } from "monocart-coverage-reports";
import { root } from "./lib/root.ts";

interface Script {
	readonly url: string;
	readonly functions: readonly object[];
}

type Counts = Readonly<Record<"covered" | "total", number>>;
/** Of each file, and of all. */
type Summary = Readonly<Record<string, Readonly<Record<"lines" | "branches", Counts>>>>;

const figures = join(root, "node_modules/.cache/footfall/coverage");
const dist = join(root, "packages/dashboard/dist");
const sources = pathToFileURL(join(root, "packages/server/src/")).href;
const isProduct = (url: string) => url.startsWith(sources) && url.endsWith(".ts") && !url.endsWith(".test.ts");

function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): number {
	const { status } = spawnSync(process.execPath, args, {
		cwd: root,
		stdio: "inherit",
		env: { ...process.env, ...env },
	});
	return status ?? 1;
}

/** A script with its source, whose places are those of the file: Node replaces types with spaces. */
const ofServer = ({ url, functions }: Script) => ({
	url,
	functions: [...functions],
	source: stripTypeScriptTypes(readFileSync(fileURLToPath(url), "utf8")),
});

/** Nothing for a file that holds only names of others: it has no map. */
function ofDashboard({ url, functions }: Script) {
	const file = join(dist, new URL(url).pathname);
	if (!existsSync(`${file}.map`)) return [];
	const sourceMap = JSON.parse(readFileSync(`${file}.map`, "utf8"));
	return [{ url: pathToFileURL(file).href, functions: [...functions], source: readFileSync(file, "utf8"), sourceMap }];
}

/** Scripts that no test loaded count with all their lines. */
const unloaded = (loaded: ReadonlySet<string>) =>
	globSync("packages/server/src/**/*.ts", { cwd: root })
		.map((file) => pathToFileURL(join(root, file)).href)
		.filter((url) => isProduct(url) && !loaded.has(url))
		.map((url) => ({ ...ofServer({ url, functions: [] }), empty: true }));

/** Nothing for a file that was not written to its end, as its process was killed. */
function scriptsIn(file: string): readonly Script[] {
	try {
		return (JSON.parse(readFileSync(file, "utf8")) as { result: readonly Script[] }).result;
	} catch {
		return [];
	}
}

async function report(folder: string): Promise<void> {
	const coverage = new CoverageReport({
		name: "Footfall",
		outputDir: figures,
		reports: ["json-summary"],
		logging: "off",
		cleanCache: true,
		sourceFilter: (path: string) => /packages\/(server|dashboard)\/src\//.test(path),
		sourcePath: (path: string) =>
			path.replace(/^.*?(packages|src)\//, (_, first) => (first === "src" ? "packages/dashboard/src/" : "packages/")),
	});
	const loaded = new Set<string>();
	for (const name of readdirSync(folder)) {
		const result = scriptsIn(join(folder, name));
		const server = result.filter(({ url }) => isProduct(url));
		for (const { url } of server) loaded.add(url);
		const pages = result.filter(({ url }) => /^http.*\/assets\/.*\.js$/.test(url));
		const scripts = [...server.map(ofServer), ...pages.flatMap(ofDashboard)];
		if (scripts.length > 0) await coverage.add(scripts);
	}
	await coverage.add(unloaded(loaded));
	await coverage.generate();
	const summary: Summary = JSON.parse(readFileSync(join(figures, "coverage-summary.json"), "utf8"));
	for (const part of ["server", "dashboard"]) {
		const own = Object.entries(summary).filter(([path]) => path.includes(`packages/${part}/`));
		const share = (kind: "lines" | "branches") => {
			const sum = (count: "covered" | "total") => own.reduce((so, [, file]) => so + file[kind][count], 0);
			return `${((100 * sum("covered")) / sum("total")).toFixed(2)} % of ${kind}`;
		};
		console.log(`${part}: ${share("lines")}, ${share("branches")}`);
	}
}

const folder = mkdtempSync(join(tmpdir(), "footfall-coverage-"));
const patterns = process.argv.slice(2);
let status = 1;
try {
	run(["packages/dashboard/build.mjs", "--measured"]);
	status = run(["scripts/test.ts", ...(patterns.length === 0 ? ["packages/"] : patterns)], {
		NODE_V8_COVERAGE: folder,
		// Of functions that come from the cache V8 counts no blocks.
		NODE_DISABLE_COMPILE_CACHE: "1",
	});
	await report(folder);
} finally {
	rmSync(folder, { recursive: true });
	run(["packages/dashboard/build.mjs"]);
}
process.exit(status);
