import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { smallerParts } from "./smaller-parts.ts";

const service = process.env.FOOTFALL_SERVICE ?? "http://127.0.0.1:3000";

/** The session's boot is a script of its own in the head: it works while the application is still on its way. */
function bootScript(): Plugin {
	return {
		name: "boot-script",
		apply: "build",
		buildStart() {
			this.emitFile({ type: "chunk", id: fileURLToPath(new URL("src/boot.ts", import.meta.url)), name: "boot" });
		},
		transformIndexHtml: {
			order: "post",
			handler(html, { bundle }) {
				const boot = Object.values(bundle ?? {}).find((part) => part.type === "chunk" && part.name === "boot");
				if (boot === undefined) throw new Error("The build has no boot script");
				return html.replace("</title>", `</title>\n\t\t<script type="module" async src="/${boot.fileName}"></script>`);
			},
		},
	};
}

const at = (path: string) => fileURLToPath(new URL(`src/${path}`, import.meta.url));
const main = at("main.tsx");
/** Parts of the report that are on their way as soon as the application begins. */
const besides = [
	"features/report/lower-report.tsx",
	"features/live/live-badge.tsx",
	"features/why/why-chips.tsx",
	"features/palette/palette-host.tsx",
].map(at);

interface Modules {
	getModuleInfo(id: string): { readonly importedIds: readonly string[]; readonly code: string | null } | null;
}

/** What modules need before they can begin, as the build knows it. */
function needsOf(roots: readonly string[], modules: Modules): ReadonlySet<string> {
	const found = new Set<string>();
	const follow = (id: string) => {
		if (found.has(id)) return;
		found.add(id);
		for (const needed of modules.getModuleInfo(id)?.importedIds ?? []) follow(needed);
	};
	for (const root of roots) follow(root);
	return found;
}

const icons = /[\\/]lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/]([\w-]+)\.mjs$/;

/** Files of the icons that modules name: their package's index imports all there are, so what is needed does not tell. */
function iconsOf(ids: ReadonlySet<string>, modules: Modules): ReadonlySet<string> {
	const codes = [...ids].map((id) => modules.getModuleInfo(id)?.code ?? "");
	const named = (list = "") => list.split(",").map((name) => name.trim().split(/\s+as\s+/));
	const files = new Map(
		codes.flatMap((code) =>
			[...code.matchAll(/export \{([^}]*)\} from ['"]\.\/icons\/([\w-]+)\.mjs['"]/g)].flatMap(([, names, file = ""]) =>
				named(names).map((name) => [name.at(-1), file] as const),
			),
		),
	);
	return new Set(
		codes.flatMap((code) =>
			[...code.matchAll(/import \{([^}]*)\} from ['"]lucide-react['"]/g)].flatMap(([, names]) =>
				named(names).map(([name]) => files.get(name) ?? ""),
			),
		),
	);
}

/** Comes when the report is there, with few icons of its own. */
const afterwards = ["features/notes/chart-marks.tsx", "features/account/banners.tsx"].map(at);

const libraries = /[\\/]node_modules[\\/](react|react-dom|scheduler|use-sync-external-store|@tanstack)[\\/]/;

/** Modules of the libraries and of a topic's index that the first screen does not use. */
const later = /useQueries|queriesObserver|[\\/](pager|page-foot|nothing)\.tsx$|[\\/]first-day\.ts$/;

const shared = /[\\/]dashboard[\\/]src[\\/](ui|lib|api)[\\/]/;

/**
 * Few files, as each costs a request: the libraries, which change seldom; what is needed first; what comes beside it.
 * Screens and panels are files of their own.
 */
function firstFiles(isLibrary: boolean) {
	let needs: ReadonlySet<string> | undefined;
	let others: ReadonlySet<string> | undefined;
	let firstIcons: ReadonlySet<string> | undefined;
	return (id: string, modules: Modules) => {
		needs ??= needsOf([main], modules);
		others ??= needsOf(besides, modules);
		if (later.test(id)) return null;
		if (isLibrary) return libraries.test(id) && needs.has(id) ? "vendor" : null;
		const icon = icons.exec(id)?.[1];
		if (icon !== undefined) {
			firstIcons ??= iconsOf(new Set([...needs, ...others, ...needsOf(afterwards, modules)]), modules);
			return firstIcons.has(icon) ? "app" : "icons";
		}
		if (needs.has(id)) return "app";
		// What it shares with other screens must not bring all of it along. Its styles come with the first ones: a second
		// file of them would cost more than it weighs.
		if (others.has(id) && (shared.test(id) || id.endsWith(".css"))) return "app";
		return others.has(id) ? "report" : null;
	};
}

/** Files that keep their names, for those who look at what a page loads. */
const named: ReadonlySet<string> = new Set(["app", "vendor", "report", "boot", "icons"]);

export default defineConfig(({ command }) => ({
	root: fileURLToPath(new URL(".", import.meta.url)),
	plugins: [react(), bootScript(), process.argv.includes("--measured") ? [] : smallerParts()],
	resolve: {
		// The store's hook asks for a stand-in of what React has by itself since version 18.
		alias: { "use-sync-external-store/shim/with-selector": "use-sync-external-store/with-selector" },
	},
	// Names that say where a class is from are half a kilobyte of the first files.
	...(command === "build" && { css: { modules: { generateScopedName: "[hash:base64:5]" } } }),
	build: {
		target: "es2022",
		manifest: true,
		modulePreload: { polyfill: false },
		assetsInlineLimit: 0,
		reportCompressedSize: false,
		rolldownOptions: {
			output: {
				// The first file names all others: names are no longer than they must be, and the manifest tells whose they are.
				chunkFileNames: ({ name }) => (named.has(name) ? "assets/[name]-[hash:7].js" : "assets/[hash:7].js"),
				assetFileNames: "assets/[hash:6][extname]",
				codeSplitting: {
					groups: [
						{ name: firstFiles(true), debugName: "libraries", priority: 2 },
						{ name: firstFiles(false), debugName: "first", priority: 1 },
					],
				},
			},
		},
	},
	server: {
		port: 5173,
		strictPort: true,
		host: "127.0.0.1",
		proxy: Object.fromEntries(["/api", "/event", "/t.js", "/docs", "/help"].map((path) => [path, service])),
	},
}));
