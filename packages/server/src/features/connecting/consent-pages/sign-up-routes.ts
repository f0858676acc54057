import type { FastifyReply } from "fastify";
import type { ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { type Faults, type FormTrouble, hasFaults, troubleOf } from "../../../platform/http/pages/faults.ts";
import { type PageSet, showPage, takeForm } from "../../../platform/http/pages/page-routes.ts";
import { checkOpenRegistration, clientOf, requestLimits, setSessionCookies } from "../../people/auth/index.ts";
import { checkPasswordPolicy, normalizeEmail } from "../../people/users/index.ts";
import { normalizeDomain } from "../../tenancy/sites/index.ts";
import { onboard } from "../oauth/index.ts";
import type { ConsentPagesDeps } from "./deps.ts";
import { mailSentPage } from "./notice-pages.ts";
import { consentRoute, seeQuestion, type Visit } from "./page-routes.ts";
import { noValues, type SignUpValues, signUpLabels, signUpPage } from "./sign-up-page.ts";

/** The form for people who have no account yet; with it they get a site, so that there is something to answer with. */
export function registerSignUp(pages: App, set: PageSet<Visit>, deps: ConsentPagesDeps): void {
	const ask = consentRoute("/sign-up", "The form that creates an account");
	showPage(pages, set, ask, async (visit) => {
		if (visit.session !== undefined) return seeQuestion(visit);
		checkOpenRegistration(deps.registration);
		return signUpPage(visit.pending.client, visit.frame(), { values: noValues });
	});
	const again = (visit: Visit, trouble: FormTrouble) =>
		signUpPage(visit.pending.client, visit.frame(), { values: valuesOf(visit), ...trouble });
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

const valuesOf = ({ field }: Visit): SignUpValues => ({
	name: field("name"),
	email: field("email"),
	siteName: field("site_name"),
	domain: field("domain"),
	acceptsTerms: field("accept_terms") === "true",
});

/** Errors that can be reported before any lookup, so that they do not depend on the address. */
function faultsIn(values: SignUpValues, password: string): Faults {
	const { name, email, siteName, domain, acceptsTerms } = values;
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
	const domain = values.domain || undefined;
	const input = { ...values, requestId, password: field("password"), domain };
	const { session } = await onboard(deps, input, clientOf(request));
	if (session === undefined) return visit.show(mailSentPage(requestId));
	setSessionCookies(reply, session, deps.cookieSecure);
	return seeQuestion(visit);
}
