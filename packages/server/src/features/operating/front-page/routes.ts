import { Type } from "typebox";
import type { App } from "../../../platform/http/app.ts";
import { sendPage } from "../../../platform/http/pages/page.ts";
import { squarePng } from "../../../platform/lib/png.ts";
import { frontPage } from "./front-page.ts";

/** Two steps, one before the other; `#` is black. */
const fields = [
	"................",
	".........###....",
	"........#####...",
	"........#####...",
	"........#####...",
	".........###....",
	"...###..........",
	"..#####..###....",
	"..#####..###....",
	"..#####.........",
	"...###..........",
	"................",
	"...###..........",
	"...###..........",
	"................",
	"................",
];
const SCALE = 4;

/** The mark of the service, a PNG of 64 by 64 pixels. */
const icon: Buffer = squarePng(fields.length, SCALE, (row, column) => fields[row]?.[column] === "#");

interface FrontPageDeps {
	/** Whether the first account is still to be made; may throw while the store is away. */
	readonly isWithoutAccount: () => Promise<boolean>;
	/** True when the application stands at the root. */
	readonly hasDashboard: boolean;
	/** True when the pages of the help stand below `/help`. */
	readonly hasHelp: boolean;
}

const tags = ["Front page"];
const config = { guard: { kind: "public" } } as const;

/** Registers `/favicon.ico`, and `/` where no application stands there. */
export function registerFrontPage(app: App, deps: FrontPageDeps): void {
	if (!deps.hasDashboard) registerRoot(app, deps);
	app.route({
		method: "GET",
		url: "/favicon.ico",
		schema: { tags, hide: true, summary: "The icon of pages", response: { 200: Type.Unknown() } },
		config: { ...config, limit: "none" },
		handler: async (_request, reply) =>
			reply.header("cache-control", "public, max-age=86400").type("image/png").send(icon),
	});
}

function registerRoot(app: App, { isWithoutAccount, hasDashboard, hasHelp }: FrontPageDeps): void {
	app.route({
		method: "GET",
		url: "/",
		schema: { tags, hide: true, summary: "Front page", response: { 200: Type.String() } },
		config,
		handler: async (_request, reply) => {
			const isMissing = await isWithoutAccount().catch(() => false);
			return sendPage(reply, 200, frontPage({ isWithoutAccount: isMissing, hasDashboard, hasHelp }));
		},
	});
}
