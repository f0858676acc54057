import type { FastifyReply } from "fastify";
import type { ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import {
	type Faults,
	type FormTrouble,
	hasFaults,
	isTroubled,
	type TextField,
	textFields,
	troubleBox,
	troubleOf,
	withButton,
} from "../../../platform/http/pages/form.ts";
import { html } from "../../../platform/http/pages/html.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import { type PageSet, showPage, takeForm } from "../../../platform/http/pages/page-routes.ts";
import {
	checkOpenRegistration,
	clientOf,
	emailField,
	nameField,
	newPasswordField,
	requestLimits,
	setSessionCookies,
} from "../../people/auth/index.ts";
import { checkPasswordPolicy, normalizeEmail } from "../../people/users/index.ts";
import { normalizeDomain } from "../../tenancy/sites/index.ts";
import { onboard } from "../oauth/index.ts";
import {
	type ConsentPagesDeps,
	consentForm,
	consentRoute,
	mailSentPage,
	pageOf,
	seeQuestion,
	type Visit,
} from "./page-routes.ts";
import { askingLine } from "./sign-in-routes.ts";

/** The form for people who have no account yet; with it they get a site, so that there is something to answer with. */
export function registerSignUp(pages: App, set: PageSet<Visit>, deps: ConsentPagesDeps): void {
	const ask = consentRoute("/sign-up", "The form that creates an account");
	showPage(pages, set, ask, async (visit) => {
		if (visit.session !== undefined) return seeQuestion(visit);
		checkOpenRegistration(deps.registration);
		return signUpPage(visit, { values: noValues });
	});
	const again = (visit: Visit, trouble: FormTrouble) => signUpPage(visit, { values: valuesOf(visit), ...trouble });
	const take = {
		...consentRoute("/sign-up", "Create an account"),
		refuse: (refusal: ServiceError, visit: Visit) => again(visit, troubleOf(refusal, signUpLabels)),
	};
	takeForm(pages, set, take, async (visit) => {
		const values = valuesOf(visit);
		const faults = faultsIn(values, visit.field("password"));
		return hasFaults(faults) ? visit.show(again(visit, { faults }), 422) : signUp(deps, visit, values);
	});
}

const valuesOf = ({ field }: Visit) => ({
	name: field("name"),
	email: field("email"),
	site_name: field("site_name"),
	domain: field("domain"),
	accept_terms: field("accept_terms") === "true",
});

/** Fields of the form without the password, which is never written back. */
type SignUpValues = ReturnType<typeof valuesOf>;

/** Errors that can be reported before any lookup, so that they do not depend on the address. */
function faultsIn(values: SignUpValues, password: string): Faults {
	const { name, email, site_name: siteName, domain, accept_terms: acceptsTerms } = values;
	const checks = [
		["name", name === "" && "is required"],
		["email", email === "" && "is required"],
		["password", password === "" && "is required"],
		["site_name", siteName === "" && "is required"],
		["site_name", siteName.length > 255 && "must have at most 255 characters"],
		["domain", !isDomain(domain) && "must be a host name, such as shop.example"],
		["accept_terms", !acceptsTerms && "must be accepted"],
	] as const;
	const faults = checks.flatMap(([field, fault]) => (fault ? [[field, `${signUpLabels[field]} ${fault}.`]] : []));
	return Object.fromEntries(faults);
}

function isDomain(text: string): boolean {
	if (text === "") return true;
	try {
		return normalizeDomain(text) !== "";
	} catch {
		return false;
	}
}

async function signUp(deps: ConsentPagesDeps, visit: Visit, values: SignUpValues): Promise<FastifyReply> {
	const { request, reply, requestId, field } = visit;
	// Here rather than at the route, so that a form with a fault does not count.
	checkPasswordPolicy(field("password"), normalizeEmail(values.email));
	await request.server.requestLimiter?.countDeclared(request, requestLimits.registration);
	const input = { ...values, request_id: requestId, password: field("password") };
	const onboarded = await onboard(deps, input, clientOf(request));
	if (onboarded === undefined) return visit.show(mailSentPage(requestId));
	setSessionCookies(reply, onboarded.session, deps.cookieSecure);
	return seeQuestion(visit);
}

const noValues = { name: "", email: "", site_name: "", domain: "", accept_terms: false };

const signUpLabels = {
	name: "The name",
	email: "The email address",
	password: "The password",
	site_name: "The site's name",
	domain: "The domain",
	accept_terms: "The terms",
} as const;

const signUpPage = (
	{ pending, requestId, frame }: Visit,
	{ values, ...trouble }: FormTrouble & { readonly values: SignUpValues },
): Page => ({
	title: "Create an account",
	hasErrors: isTroubled(trouble),
	body: html`${askingLine(pending.client)}
${troubleBox(trouble)}
${consentForm(
	frame(),
	"/sign-up",
	html`${textFields(fieldsOf(values, trouble.faults))}
${withButton("Create account", termsField(values, trouble.faults))}`,
)}
<div class="aside"><p>Already have an account? <a href="${pageOf(requestId)}">Sign in</a></p></div>`,
});

const fieldsOf = ({ name, email, site_name: siteName, domain }: SignUpValues, faults: Faults = {}): TextField[] => [
	nameField(name, faults.name),
	emailField(email, faults.email),
	newPasswordField(faults.password),
	{
		name: "site_name",
		label: "Site name",
		value: siteName,
		autocomplete: "organization",
		maxLength: 255,
		fault: faults.site_name,
	},
	{
		name: "domain",
		label: "Domain",
		value: domain,
		autocomplete: "off",
		isOptional: true,
		maxLength: 255,
		hint: "For example shop.example. You can add it later.",
		fault: faults.domain,
	},
];

const termsField = ({ accept_terms: acceptsTerms }: SignUpValues, { accept_terms: fault }: Faults = {}) =>
	html`<div class="field">
${fault !== undefined && html`<p class="fault" id="accept_terms-fault">${fault}</p>`}
<div class="choice">
<input id="accept_terms" name="accept_terms" type="checkbox" value="true" required${acceptsTerms && html` checked`}${fault !== undefined && html` aria-invalid="true" aria-describedby="accept_terms-fault"`}>
<label for="accept_terms">I accept the terms of this service</label>
</div>
</div>`;
