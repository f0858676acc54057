import { html } from "../../../platform/http/pages/html.ts";
import type { Page } from "../../../platform/http/pages/page.ts";

interface Installation {
	readonly isWithoutAccount: boolean;
	readonly hasDashboard: boolean;
	readonly hasHelp: boolean;
}

/**
 * The page at the root without an application, or before there is an account: name of the service, its state, next
 * steps.
 */
export const frontPage = ({ isWithoutAccount, hasDashboard, hasHelp }: Installation): Page => ({
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
