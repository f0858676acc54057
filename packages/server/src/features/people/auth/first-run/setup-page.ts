import { type Faults, hasFaults } from "../../../../platform/http/pages/faults.ts";
import { form, troubleBox, withButton } from "../../../../platform/http/pages/form.ts";
import { textFields } from "../../../../platform/http/pages/form-fields.ts";
import { html } from "../../../../platform/http/pages/html.ts";
import type { Page } from "../../../../platform/http/pages/page.ts";
import { emailField, nameField, newPasswordField } from "../person-fields.ts";

/** Submitted values of the form; the password is never written back. */
export interface SetupForm {
	readonly token: string;
	readonly name: string;
	readonly email: string;
	readonly faults?: Faults;
}

/** The form that creates the first account. */
export const setupFormPage = ({ token, name, email, faults = {} }: SetupForm): Page => ({
	title: "Create the first account",
	hasErrors: hasFaults(faults),
	body: html`<p>This account may do everything on this server.</p>
${troubleBox({ faults })}
${form("/setup", {
	hidden: { token },
	body: withButton(
		"Create account",
		textFields([nameField(name, faults.name), emailField(email, faults.email), newPasswordField(faults.password)]),
	),
})}`,
});

/**
 * Shown once the account exists: the steps to the first figure. `root` is the address of the service as the browser has
 * it.
 */
export const setupDonePage = ({ email, root }: { readonly email: string; readonly root: string }): Page => ({
	title: "The account is ready",
	body: html`<p>You are <strong>${email}</strong>, and may do everything on this server. There is no dashboard on this server: three commands lead to the first figure. Give them on the server, in the folder of Footfall; in a container, or where it is installed, the command is <code>footfall</code>.</p>
<h2>1. Create a site</h2>
<pre>./footfall sites create --name Shop --domain shop.example</pre>
<p>It prints a script tag. Put that into the <code>&lt;head&gt;</code> of every page of the site.</p>
<h2>2. See whether hits arrive</h2>
<pre>./footfall sites check shop</pre>
<h2>3. Read figures</h2>
<pre>./footfall tokens create --user ${shellWord(email)} \\
  --name reports --scope stats:read sites:read</pre>
<p>It prints a key, once. With it any program may ask:</p>
<pre>curl -H "X-API-Key: svc_…" \\
  "${root}/api/v1/stats/overview?site_id=shop&amp;period=today"</pre>
<p><a href="/docs">All that can be asked</a></p>`,
});

const shellWord = (text: string): string => (/^[\w.@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** Shown for a link that was used, replaced or never existed. */
export const setupLinkDeadPage: Page = {
	title: "This link is no longer valid",
	body: html`<p>It works once, and only until the first account exists. Without an account, restart the server: it prints a new link.</p>`,
};
