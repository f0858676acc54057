import { Type } from "typebox";
import type { App } from "../../../platform/http/app.ts";
import { html } from "../../../platform/http/pages/html.ts";
import { type Page, sendPage } from "../../../platform/http/pages/page.ts";

/** The mark of the service, a PNG of 64 by 64 pixels: two steps, one before the other. */
const icon = Buffer.from(
	"iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAAAAACPAi4CAAAAUklEQVR4nO3SMQ4AIAhD0d7/0roaFEJw0JT+VX0DiHEZmgBY6gjgkAABHQGLbGdkQHTRxYmA6MOkhiiAHohiAiySecwIVGID3m9BwA9AJQEUwAR53pQVKEn4lwAAAABJRU5ErkJggg==",
	"base64",
);

interface FrontPageDeps {
	/** Whether the first account is still to be made; may throw while the store is away. */
	readonly isWithoutAccount: () => Promise<boolean>;
	/** True when the application stands at the root. */
	readonly hasDashboard: boolean;
	readonly hasHelp: boolean;
}

const tags = ["Front page"];
const config = { guard: { kind: "public" } } as const;

export function registerFrontPage(app: App, deps: FrontPageDeps): void {
	if (!deps.hasDashboard) {
		app.route({
			method: "GET",
			url: "/",
			schema: { tags, hide: true, summary: "Front page", response: { 200: Type.String() } },
			config,
			handler: async (_request, reply) => {
				const isWithoutAccount = await deps.isWithoutAccount().catch(() => false);
				return sendPage(reply, 200, frontPage({ ...deps, isWithoutAccount }));
			},
		});
	}
	app.route({
		method: "GET",
		url: "/favicon.ico",
		schema: { tags, hide: true, summary: "The icon of pages", response: { 200: Type.Unknown() } },
		config: { ...config, limit: "none" },
		handler: async (_request, reply) =>
			reply.header("cache-control", "public, max-age=86400").type("image/png").send(icon),
	});
}

/** The page at the root without an application, or before there is an account. */
export const frontPage = ({ isWithoutAccount, hasDashboard, hasHelp }: Record<keyof FrontPageDeps, boolean>): Page => ({
	title: "Footfall is running",
	body: html`<p>This server provides web analytics without cookies and without storing IP addresses.</p>
${
	isWithoutAccount &&
	html`<div class="warning"><p>There is no account yet. Open the link that the service printed when it started to create the first account. A restart prints a new link.</p></div>`
}
${
	!hasDashboard &&
	html`<h2>If you use the statistics</h2>
<p>The dashboard is not built: run <code>node packages/dashboard/build.mjs</code> and restart the service. Statistics are also available through the <a href="/docs">API</a>, exports, email reports and AI assistants.</p>`
}
<h2>If you run this server</h2>
<p>Create sites and API keys in the dashboard, or on the command line in the folder of Footfall:</p>
<pre>./footfall sites create --help
./footfall tokens create --help</pre>
${hasHelp && html`<p>See the <a href="/help">help</a> for everything else.</p>`}
<h2>If you came here from a website</h2>
<p>The website measures its visits with this server: pages, sources, countries and kinds of devices. Nothing is stored in your browser, and you are not recognized on another day or another website.</p>`,
});
