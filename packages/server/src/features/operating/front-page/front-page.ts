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
	body: html`<p>This server counts visits to websites, without cookies and without keeping the address of a visitor.</p>
${
	isWithoutAccount &&
	html`<div class="warning"><p>There is no account yet. When it started, the service wrote a link to its output: open that link to create the first account. A restart prints a new one.</p></div>`
}
${
	!hasDashboard &&
	html`<h2>If you read figures here</h2>
<p>The dashboard is not built here: <code>node packages/dashboard/build.mjs</code> builds it, and the next start shows it. Figures also come by the <a href="/docs">API</a>, as files, by mail, and through AI assistants.</p>`
}
<h2>If you run this server</h2>
<p>Sites and keys are made on its command line, in the folder of Footfall:</p>
<pre>./footfall sites create --help
./footfall tokens create --help</pre>
${hasHelp && html`<p>Everything else stands in the <a href="/help">help</a>.</p>`}
<h2>If a website led you here</h2>
<p>It counts its visits on this server: which pages are opened, where visitors come from, and what kind of device they use. Nothing is stored in your browser, and you are not recognised on another day or on another website.</p>`,
});
