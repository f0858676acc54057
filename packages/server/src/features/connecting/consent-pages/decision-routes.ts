import type { FastifyReply } from "fastify";
import type { BrowserSession } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { errorBox } from "../../../platform/http/pages/form.ts";
import { type Html, html } from "../../../platform/http/pages/html.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import { type PageSet, type Refuse, showPage, takeForm } from "../../../platform/http/pages/page-routes.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import { clearSessionCookies, signOut } from "../../people/auth/index.ts";
import { decide, type PendingRequest, sitesToChoose } from "../oauth/index.ts";
import {
	type ConsentPagesDeps,
	consentForm,
	consentRoute,
	destinationOf,
	type FormFrame,
	goingBackPage,
	impersonatingPage,
	requestGonePage,
	seeQuestion,
	type Visit,
	warningOn,
} from "./page-routes.ts";
import { signInPage } from "./sign-in-routes.ts";

/** The question whether an app may read a site, and its answer. */
export function registerDecision(pages: App, set: PageSet<Visit>, deps: ConsentPagesDeps): void {
	const ask = consentRoute("", "Ask whether an app may read a site");
	showPage(pages, set, ask, async (visit) => {
		const { session } = visit;
		if (session === undefined) return signInPage(visit);
		if (session.impersonatorId !== null) return visit.show(impersonatingPage, 403);
		return question(deps, visit, session);
	});
	const refuse: Refuse<Visit> = (refusal, visit) =>
		refusal.code === "not_found" || visit.session === undefined
			? requestGonePage
			: question(deps, visit, visit.session, refusal);
	const answer = { ...consentRoute("/decision", "Allow or deny"), holder: "session", refuse } as const;
	takeForm(pages, set, answer, async (visit) => {
		const { session } = visit;
		if (session === undefined) {
			const error = "You were signed out meanwhile. Please sign in again.";
			return visit.show(signInPage(visit, { error }), 401);
		}
		if (session.impersonatorId !== null) return visit.show(impersonatingPage, 403);
		return takeDecision(deps, visit, session);
	});
	const change = { ...consentRoute("/switch", "Use another account"), holder: "session" } as const;
	takeForm(pages, set, change, async (visit) => {
		const { session, request, reply } = visit;
		if (session !== undefined) {
			await signOut(deps, session, actorOf(request));
			clearSessionCookies(reply, deps.cookieSecure);
		}
		return seeQuestion(visit);
	});
}

async function question(
	deps: ConsentPagesDeps,
	visit: Visit,
	session: BrowserSession,
	refusal?: ServiceError,
): Promise<Page> {
	const { request, pending, frame } = visit;
	const sites = await sitesToChoose(deps, session.userId, request);
	const { email, boundRequest } = session;
	const asked = { ...pending, email, isUnconfirmed: boundRequest !== null, sites };
	return consentPage(asked, frame(session), refusal?.message);
}

async function takeDecision(deps: ConsentPagesDeps, visit: Visit, session: BrowserSession): Promise<FastifyReply> {
	const { request, reply, requestId, pending, field } = visit;
	const decision = decisionOf(field("decision"));
	const siteId = field("site_id") || undefined;
	if (decision === "approve" && siteId === undefined) {
		throw new ServiceError("validation_error", "Choose the site that the app may read");
	}
	const redirectTo = await decide(deps, request, { requestId, decision, siteId, caller: session });
	// Not a redirect: browsers hold the answer of a form to `form-action`, and all that the app redirects to after it.
	reply.header("refresh", `0; url=${redirectTo}`);
	return visit.show(goingBackPage(pending.client, decision, redirectTo));
}

/** The decision of the pressed button; a form without one approves nothing. */
function decisionOf(text: string): "approve" | "deny" {
	if (text === "approve" || text === "deny") return text;
	throw new ServiceError("validation_error", "Choose whether to allow or to deny");
}

type WantedAccess = Pick<PendingRequest, "scopes" | "opensApi">;

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

type SiteChoices = Awaited<ReturnType<typeof sitesToChoose>>;

interface Question extends Pick<PendingRequest, "client" | "scopes" | "opensApi"> {
	readonly email: string;
	/** True when that address is not confirmed yet. */
	readonly isUnconfirmed: boolean;
	readonly sites: SiteChoices;
}

/**
 * Asks whether an app may read a site. No site is chosen beforehand, so that one click on a page that somebody else opened
 * at the right moment gives nothing away.
 */
const consentPage = (
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
${consentForm(frame, "/decision", sites.length === 0 ? withoutSite : html`${(sites.length > MAX_RADIOS ? list : radios)(sites)}${decisions}`)}
<div class="aside">${consentForm(frame, "/switch", html`<p>Not you? <button type="submit">Use another account</button></p>`)}</div>`,
});

const withoutSite = html`<p>You have no site yet. Create one first, then connect the app again.</p>
<div class="actions"><button type="submit" name="decision" value="deny">Deny</button></div>`;

const decisions = html`<div class="actions">
<button class="main" type="submit" name="decision" value="approve">Allow</button>
<button type="submit" name="decision" value="deny" formnovalidate>Deny</button>
</div>`;

const radios = (sites: SiteChoices): Html =>
	html`<fieldset>
<legend>Site</legend>
${sites.map(
	({ id, name }) => html`<div class="choice">
<input id="site-${id}" name="site_id" type="radio" value="${id}" required>
<label for="site-${id}"><bdi>${name}</bdi> (${id})</label>
</div>`,
)}
</fieldset>`;

const list = (sites: SiteChoices): Html =>
	html`<div class="field">
<label for="site_id">Site</label>
<select id="site_id" name="site_id" required>
<option value="">Choose a site</option>
${sites.map(({ id, name }) => html`<option value="${id}">${name} (${id})</option>`)}
</select>
</div>`;
