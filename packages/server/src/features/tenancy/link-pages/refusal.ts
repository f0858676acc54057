import type { ServiceError } from "../../../platform/errors/service-error.ts";
import { faultsOf, hasFaults } from "../../../platform/http/pages/faults.ts";
import { sentence } from "../../../platform/http/pages/form-fields.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import type { FormTrouble } from "./form.ts";

type Labels = Readonly<Record<string, string>>;

/** What a form is told of a refusal: at its fields when it is theirs; `labels` begins each sentence. */
export function troubleOf(refusal: ServiceError | undefined, labels: Labels): FormTrouble {
	if (refusal === undefined) return {};
	const faults = faultsOf(refusal, labels);
	return hasFaults(faults) ? { faults } : { error: sentence(refusal.message) };
}

/** The pages of a link: one for a link that opens nothing, else the form again with what is wrong. */
export const refusalPage = (
	refusal: ServiceError,
	pages: { labels: Labels; dead: () => Page; form: (trouble: FormTrouble) => Page },
): Page => (isDead(refusal) ? pages.dead() : pages.form(troubleOf(refusal, pages.labels)));

const isDead = ({ code, detail = [] }: ServiceError): boolean =>
	code === "bad_request" || detail.some(({ field }) => field === "body.token");
