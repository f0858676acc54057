import type { Caller } from "../../../access/index.ts";
import { languageOf } from "../../people/preferences/index.ts";
import type { LensDeps } from "./deps.ts";
import type { Reader } from "./insights/present.ts";

/** Language and currency of a reader: the user's language, the site's currency. */
export const readerOf = async (
	{ metadata }: Pick<LensDeps, "metadata">,
	{ caller, site }: { readonly caller: Caller; readonly site: { readonly currency: string } },
): Promise<Reader> => ({ language: await languageOf(metadata, caller.userId), currency: site.currency });
