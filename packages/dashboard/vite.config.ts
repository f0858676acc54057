import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

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

const main = fileURLToPath(new URL("src/main.tsx", import.meta.url));

interface Modules {
	getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** What the application needs before it can begin, as the build knows it. */
function needsOf(modules: Modules): ReadonlySet<string> {
	const found = new Set<string>();
	const follow = (id: string) => {
		if (found.has(id)) return;
		found.add(id);
		for (const needed of modules.getModuleInfo(id)?.importedIds ?? []) follow(needed);
	};
	follow(main);
	return found;
}

const libraries = /[\\/]node_modules[\\/](react|react-dom|scheduler|use-sync-external-store|@tanstack)[\\/]/;

/** Two files for what is needed first, so that few requests make the first screen; libraries change seldom, and apart. */
function firstFiles() {
	let needs: ReadonlySet<string> | undefined;
	return (id: string, modules: Modules) => {
		needs ??= needsOf(modules);
		if (id === main || !needs.has(id)) return null;
		return libraries.test(id) ? "vendor" : "app";
	};
}

export default defineConfig({
	root: fileURLToPath(new URL(".", import.meta.url)),
	plugins: [react(), bootScript()],
	build: {
		target: "es2022",
		manifest: true,
		modulePreload: { polyfill: false },
		assetsInlineLimit: 0,
		reportCompressedSize: false,
		rolldownOptions: {
			output: {
				codeSplitting: { groups: [{ name: firstFiles(), debugName: "first" }] },
			},
		},
	},
	server: {
		port: 5173,
		strictPort: true,
		host: "127.0.0.1",
		proxy: Object.fromEntries(["/api", "/event", "/t.js", "/docs"].map((path) => [path, service])),
	},
});
