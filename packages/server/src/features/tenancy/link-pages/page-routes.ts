import type { FastifyReply } from "fastify";
import { type BrowserSession, browserSession, type Guard } from "../../../access/index.ts";
import type { ServiceError } from "../../../platform/errors/service-error.ts";
import { browserOf, formToken, formTokenField, markBrowser } from "../../../platform/http/pages/check-form.ts";
import { failurePage } from "../../../platform/http/pages/error-pages.ts";
import {
	type FormTrouble,
	form,
	isTroubled,
	type TextField,
	textFields,
	troubleBox,
	troubleOf,
	withButton,
} from "../../../platform/http/pages/form.ts";
import { type Html, html } from "../../../platform/http/pages/html.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import type { PageSet, PageVisit, Refuse } from "../../../platform/http/pages/page-routes.ts";
import type { ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";
import type { Registration, ResetDeps } from "../../people/auth/index.ts";
import type { ClaimDeps } from "../provisioning/index.ts";

export interface LinkPagesDeps extends ClaimDeps, ResetDeps, ServerSecrets {
	readonly mailer: Mailer;
	readonly registration: Registration;
	/** True when the application follows. */
	readonly hasDashboard: boolean;
}

export interface Visit extends PageVisit {
	/** Undefined without a signed-in user. */
	readonly session: BrowserSession | undefined;
	readonly browser: string;
	/** The hidden fields of a form, with the one by which it is known again. */
	readonly hiddenIn: (values: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
}

export type RefuseVisit = Refuse<Visit>;

/** Any visitor; a session is known to the handler. */
export const guard: Guard = { kind: "public", caller: "form" };
/** A session counts too that may do nothing else until its address is confirmed. */
export const boundGuard: Guard = { ...guard, boundSession: "admitted" };

/** The address of these pages is a secret, which no other page may learn. */
export const referrer = "no-referrer";

export const resetPath = "/reset-password";

/** The page at `path` that a mail leads to, with its forms, which go to it or below it. */
export const linkPages = (deps: LinkPagesDeps, path: string): PageSet<Visit> => ({
	tag: "Links in mails",
	referrer,
	secretKey: deps.secretKey,
	publicUrl: deps.publicUrl,
	staleForm: "This form was opened elsewhere, or is too old. Send it again",
	refusesEarly: true,
	look: (seen) => lookAt(deps, path, seen),
	binding: ({ browser, session }) => ({ about: path, browser, sessionId: session?.sessionId }),
	failurePage: linkFailurePage,
});

/** Leads somebody into the application; where there is none, this page is the end. */
export const leadIn = (
	{ hasDashboard }: LinkPagesDeps,
	{ leadTo }: PageVisit,
	end: Page,
	address: "/" | "/sign-in?news=password-changed" | "/sign-in?news=address-confirmed" = "/",
): Page | FastifyReply => (hasDashboard ? leadTo(address) : end);

function lookAt(deps: LinkPagesDeps, path: string, seen: PageVisit): Visit {
	const { request, reply } = seen;
	const cookie = { name: "svc_link_browser", path, secure: deps.cookieSecure };
	const browser = browserOf(request, cookie);
	markBrowser(reply, cookie, browser);
	const session = browserSession(request.principal);
	const token = formToken(deps.secretKey, { about: path, browser, sessionId: session?.sessionId });
	const hiddenIn = (values: Readonly<Record<string, string>>) => ({ ...values, [formTokenField]: token });
	return { ...seen, session, browser, hiddenIn };
}

interface LinkForm {
	readonly title: string;
	readonly trouble: FormTrouble;
	readonly above?: Html;
	readonly action: string;
	/** Fields that are not shown; the link's token unless others are given. */
	readonly hidden?: Readonly<Record<string, string>>;
	readonly fields?: readonly TextField[];
	readonly button: string;
	readonly below?: Html;
}

/** A page with a form, and with what is wrong in it. */
export function formPage(visit: Visit, page: LinkForm): Page {
	const { title, trouble, above, action, hidden = { token: visit.field("token") }, fields = [], button, below } = page;
	const body = withButton(button, textFields(fields));
	return {
		title,
		hasErrors: isTroubled(trouble),
		body: html`${troubleBox(trouble)}
${above}
${form(action, { hidden: visit.hiddenIn(hidden), body })}${below && html`\n${below}`}`,
	};
}

/** Where one goes from here, where there is no application. */
export const whatNext: Html = html`<p><a href="/docs">Read how to use the API</a></p>`;

/** The end of a link that signs in, where there is no application. */
export const signedInPage = (title: string, email: string): Page => ({
	title,
	body: html`<p>You are signed in as <strong><bdi>${email}</bdi></strong>.</p>
${whatNext}`,
});

export const linkFailurePage = failurePage("Please try again in a while. The link still works.");

/** The pages of a link: one for a link that opens nothing, else the form again with what is wrong. */
export const refusing =
	(
		labels: Readonly<Record<string, string>>,
		dead: (visit: Visit) => Page,
		again: (visit: Visit, trouble: FormTrouble) => Page,
	): RefuseVisit =>
	(refusal, visit) =>
		isDead(refusal) ? dead(visit) : again(visit, troubleOf(refusal, labels));

const isDead = ({ code, detail = [] }: ServiceError): boolean =>
	code === "bad_request" || detail.some(({ field }) => field === "body.token");
