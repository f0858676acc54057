import { errorBox } from "../../../platform/http/pages/form-fields.ts";
import { type Html, html } from "../../../platform/http/pages/html.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import { type AskingClient, destinationOf, warningOn } from "./describe-client.ts";
import { consentForm, type FormFrame } from "./form-frame.ts";

/** Access requested by an app. */
interface WantedAccess {
	readonly scopes: readonly string[];
	/** False when it gets the tools of the MCP server only, none of which returns personal data. */
	readonly opensApi: boolean;
}

const reports =
	"Read every report of the site that you choose: visits, pages, sources, countries, devices, conversions and revenue, and how the site is set up";
const people = "Read the names and email addresses of all people with access to that site, including yours";
const anHour = "Do so for an hour; then it has to ask you again";
const offline = "Keep this access while you are away, until you end it or it is not used for 30 days";

/** Meaning of a scope, in words for the user. */
const words: Readonly<Record<string, (asked: WantedAccess) => readonly string[]>> = {
	"analytics:read": ({ opensApi }) => (opensApi ? [reports, people] : [reports]),
	offline_access: () => [offline],
};

/** Sentences on what is asked; a scope without words is shown as it is, so that nothing is granted unseen. */
function describeScopes(asked: WantedAccess): string[] {
	const told = asked.scopes.flatMap((scope) => words[scope]?.(asked) ?? [scope]);
	return asked.scopes.includes("offline_access") ? told : [...told, anHour];
}

/** More sites than this are a list to open. */
const MAX_RADIOS = 6;

/** A site that may be opened to the app. */
export interface SiteChoice {
	readonly id: string;
	readonly name: string;
}

/** The question itself. */
export interface Question extends WantedAccess {
	readonly client: AskingClient;
	/** The signed-in user. */
	readonly email: string;
	/** True when that address is not confirmed yet. */
	readonly isUnconfirmed: boolean;
	readonly sites: readonly SiteChoice[];
}

/**
 * Asks whether an app may read a site. No site is chosen beforehand, so that one click on a page that somebody else opened
 * at the right moment gives nothing away.
 */
export const consentPage = (
	{ client, scopes, opensApi, email, isUnconfirmed, sites }: Question,
	frame: FormFrame,
	error?: string,
): Page => ({
	title: "Allow access?",
	hasErrors: error !== undefined,
	body: html`${error !== undefined && errorBox(error)}
<p>The app <strong>“<bdi>${client.clientName}</bdi>”</strong> asks for access to one of your sites.</p>
<dl>
<dt>The answer goes to</dt>
<dd>${destinationOf(client)}</dd>
<dt>Signed in as</dt>
<dd><bdi>${email}</bdi></dd>
</dl>
${isUnconfirmed && html`<p>We sent you an email. Until you open its link, you can only answer this question.</p>`}
<div class="warning">${warningOn(client)}</div>
<h2>This app will be able to</h2>
<ul>${describeScopes({ scopes, opensApi }).map((text) => html`<li>${text}</li>`)}</ul>
<p>It cannot change anything, and has no access to other sites.</p>
${consentForm(frame, "/decision", sites.length === 0 ? withoutSite : html`${choice(sites)}${decisions}`)}
<div class="aside">${consentForm(frame, "/switch", html`<p>Not you? <button type="submit">Use another account</button></p>`)}</div>`,
});

const withoutSite = html`<p>You have no site yet. Create one first, then connect the app again.</p>
<div class="actions"><button type="submit" name="decision" value="deny">Deny</button></div>`;

const decisions = html`<div class="actions">
<button class="main" type="submit" name="decision" value="approve">Allow</button>
<button type="submit" name="decision" value="deny" formnovalidate>Deny</button>
</div>`;

const choice = (sites: readonly SiteChoice[]): Html => (sites.length > MAX_RADIOS ? list(sites) : radios(sites));

const radios = (sites: readonly SiteChoice[]): Html =>
	html`<fieldset>
<legend>Site</legend>
${sites.map(
	({ id, name }) => html`<div class="choice">
<input id="site-${id}" name="site_id" type="radio" value="${id}" required>
<label for="site-${id}"><bdi>${name}</bdi> (${id})</label>
</div>`,
)}
</fieldset>`;

const list = (sites: readonly SiteChoice[]): Html =>
	html`<div class="field">
<label for="site_id">Site</label>
<select id="site_id" name="site_id" required>
<option value="">Choose a site</option>
${sites.map(({ id, name }) => html`<option value="${id}">${name} (${id})</option>`)}
</select>
</div>`;
