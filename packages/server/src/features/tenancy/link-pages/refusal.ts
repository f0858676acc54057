import type { ServiceError } from "../../../platform/errors/service-error.ts";
import { type FormTrouble, troubleOf } from "../../../platform/http/pages/faults.ts";
import type { Page } from "../../../platform/http/pages/page.ts";

/** The pages of a link: one for a link that opens nothing, else the form again with what is wrong. */
export const refusalPage = (
	refusal: ServiceError,
	pages: { labels: Readonly<Record<string, string>>; dead: () => Page; form: (trouble: FormTrouble) => Page },
): Page => (isDead(refusal) ? pages.dead() : pages.form(troubleOf(refusal, pages.labels)));

const isDead = ({ code, detail = [] }: ServiceError): boolean =>
	code === "bad_request" || detail.some(({ field }) => field === "body.token");
